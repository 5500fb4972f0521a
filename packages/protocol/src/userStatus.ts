import { z } from 'zod';

/** A member's status. An unset field is absent, or empty in an event. */
export const userStatus = z.object({
  status_text: z.string().optional(),
  emoji_name: z.string().optional(),
  emoji_code: z.string().optional(),
  reaction_type: z.string().optional(),
  /** Ours: unix seconds at which the server clears the status; null: never. */
  scheduled_end_time: z.int().nullish(),
});
export type UserStatus = z.output<typeof userStatus>;

/** The emoji that the web client shows as busy (取り込み中); any other status is available (対応可). */
export const busyEmoji = { emoji_name: 'no_entry', emoji_code: '26d4', reaction_type: 'unicode_emoji' } as const;
