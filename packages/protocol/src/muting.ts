import { z } from 'zod/mini';

/** A muted topic for clients before Zulip 7.0: the stream's name, the topic, unix seconds. */
export const mutedTopic = z.tuple([z.string(), z.string(), z.int()]);

/** `timestamp`: when the member muted the user, in unix seconds. */
export const mutedUser = z.object({ id: z.int(), timestamp: z.int() });
export type MutedUser = z.output<typeof mutedUser>;
