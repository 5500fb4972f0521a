import { z } from 'zod';

/**
 * When a member was last there. Times are unix seconds; 0 where there is nothing to know any more, because the member
 * shows it no longer.
 */
export const presence = z.object({
  /** When they last did something. They are online as long as that is less than the offline threshold ago. */
  active_timestamp: z.int().optional(),
  /** When a client of theirs was last connected. */
  idle_timestamp: z.int().optional(),
});
export type Presence = z.output<typeof presence>;

/** The same as Zulip had it first: what a client of the member's said, and when. */
export const clientPresence = z.object({
  client: z.string(),
  status: z.string(),
  timestamp: z.int(),
  pushable: z.boolean().optional(),
});
/** By client; `aggregated` is the newest of them. */
export const legacyPresence = z.object({ aggregated: clientPresence, website: clientPresence.optional() });

/** By user id, as text; by email where they are legacy. Who shows theirs to nobody is missing. */
export const presences = z.record(z.string(), z.union([legacyPresence, presence]));
