import { z } from 'zod';

/** What a member says of themselves at the moment. What is not set is missing, or in an event empty. */
export const userStatus = z.object({
  /** At most `maxStatusTextLength` characters. */
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  /** Ours: when the server takes it back, in unix seconds; null: never. */
  scheduled_end_time: z.int().nullish(),
});
export type UserStatus = z.output<typeof userStatus>;

/** The status that our screens show as busy (取り込み中), with its text; any other, and none, is available (対応可). */
export const busyEmoji = { emoji_name: 'no_entry', emoji_code: '26d4', reaction_type: 'unicode_emoji' } as const;
