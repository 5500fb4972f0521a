import { presences, serverEvent } from '@engawa/protocol';
import { z } from 'zod';
import { snapshot } from './snapshot.ts';

/** What tabs say to each other. It carries its version in the channel's name, so that two releases do not meet. */
export const newsVersion = 5;

export const news = z.discriminatedUnion('kind', [
  /** A tab needs the state of the one that polls. */
  z.object({ kind: z.literal('hello'), tab: z.string() }),
  /** A tab polls: the answer to a hello, or, without `tab`, the word of one that has just begun. */
  z.object({ kind: z.literal('leading'), tab: z.string().optional() }),
  /** The state, for the tab that asked or, when it begins anew, for all. */
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
  /** Somebody is at a tab, and whether a hand has moved: the tab that polls tells the server. */
  z.object({ kind: z.literal('here'), active: z.boolean() }),
  /** What the server answered to that. */
  z.object({ kind: z.literal('presences'), presences, update: z.int().optional() }),
  z.object({ kind: z.literal('connection'), connection: z.enum(['online', 'reconnecting', 'signed-out']) }),
]);
export type News = z.output<typeof news>;
