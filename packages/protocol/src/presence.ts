import { z } from 'zod';

/** Times are unix seconds; 0 when the member no longer shares their presence. */
export const presence = z.object({
  /** Last activity. The member is online until the offline threshold has passed. */
  active_timestamp: z.int().optional(),
  /** Last connection of a client. */
  idle_timestamp: z.int().optional(),
});
export type Presence = z.output<typeof presence>;

/** The last report of one client, in the legacy form. */
export const clientPresence = z.object({
  client: z.string(),
  status: z.string(),
  timestamp: z.int(),
  pushable: z.boolean().optional(),
});
export const legacyPresence = z.object({ aggregated: clientPresence, website: clientPresence.optional() });

/** Keyed by user id, or by email in the legacy form. Members who share with nobody are absent. */
export const presences = z.record(z.string(), z.union([legacyPresence, presence]));
