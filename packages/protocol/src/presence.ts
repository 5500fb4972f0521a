import { z } from 'zod/mini';

/** Times are unix seconds; 0 when the member no longer shares their presence. */
export const presence = z.object({
  active_timestamp: z.optional(z.int()),
  idle_timestamp: z.optional(z.int()),
});
export type Presence = z.output<typeof presence>;

/** The last report of one client, in the legacy form. */
export const clientPresence = z.object({
  client: z.string(),
  status: z.string(),
  timestamp: z.int(),
  pushable: z.optional(z.boolean()),
});
export const legacyPresence = z.object({ aggregated: clientPresence, website: z.optional(clientPresence) });

/** Keyed by user id, or by email in the legacy form. Members who hide their presence are absent. */
export const presences = z.record(z.string(), z.union([legacyPresence, presence]));

/** A member's status. A field that is not set is absent in an answer and empty in an event. */
export const userStatus = z.object({
  status_text: z.optional(z.string()),
  emoji_name: z.optional(z.string()),
  emoji_code: z.optional(z.string()),
  reaction_type: z.optional(z.string()),
  /** Ours: unix seconds at which the server clears the status; null: never. */
  scheduled_end_time: z.nullish(z.int()),
});
export type UserStatus = z.output<typeof userStatus>;

/** The emoji that the web client shows as busy (取り込み中); any other status is available (対応可). */
export const busyEmoji = { emoji_name: 'no_entry', emoji_code: '26d4', reaction_type: 'unicode_emoji' } as const;
