import { z } from 'zod/mini';

export const device = z.object({ browser: z.nullable(z.string()), system: z.nullable(z.string()) });
export type Device = z.output<typeof device>;

/** One of the member's own sessions. The id is not its secret; times are unix seconds. */
export const ownSession = z.extend(device, {
  id: z.string(),
  /** The network address of the sign-in; empty if unknown. */
  address: z.string(),
  signed_in: z.int(),
  /** Accurate to about five minutes. */
  last_used: z.int(),
  current: z.boolean(),
});
export type OwnSession = z.output<typeof ownSession>;

/** GET /api/sessions: most recently used first. DELETE ends all other sessions, DELETE `/{id}` ends one; both answer `{}`. */
export const ownSessions = z.object({ sessions: z.array(ownSession) });
export type OwnSessions = z.output<typeof ownSessions>;
