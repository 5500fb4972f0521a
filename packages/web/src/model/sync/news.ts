import { presences, serverEvent } from '@engawa/protocol';
import { z } from 'zod';
import { snapshot } from './snapshot.ts';

/** Messages between tabs. The channel's name contains the version, so that two releases do not exchange any. */
export const newsVersion = 5;

export const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello'), tab: z.string() }),
  /** A tab polls: the answer to a hello or, without `tab`, the announcement of a new leader. */
  z.object({ kind: z.literal('leading'), tab: z.string().optional() }),
  /** The state, for the requesting tab or, after a register, for all. */
  z.object({ kind: z.literal('snapshot'), tab: z.string().optional(), snapshot }),
  /** The events of one poll, with the cursor before and after them. */
  z.object({
    kind: z.literal('batch'),
    batch: z.object({
      queueId: z.string(),
      after: z.int(),
      lastEventId: z.int(),
      events: z.array(serverEvent),
    }),
  }),
  /** The member is present in a tab, and whether there was recent input: the polling tab reports it to the server. */
  z.object({ kind: z.literal('here'), active: z.boolean() }),
  z.object({ kind: z.literal('presences'), presences, update: z.int().optional() }),
  z.object({ kind: z.literal('connection'), connection: z.enum(['online', 'reconnecting', 'signed-out']) }),
]);
export type News = z.output<typeof news>;
