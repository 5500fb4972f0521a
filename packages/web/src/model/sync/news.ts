import { presences } from '@engawa/protocol';
import { z } from 'zod/mini';
import { snapshot } from './snapshot.ts';

/** The version of the messages between tabs. It is in the channel's name, so that tabs of two releases do not exchange any. */
export const newsVersion = 10;

/** Each tab parses them when it has the code for it (`events.ts`). */
const events = z.array(z.unknown());

export const news = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('hello'), tab: z.string() }),
  /** A tab polls: sent to the tab that has asked with `hello`, or without `tab` to all when this tab begins to poll. */
  z.object({ kind: z.literal('leading'), tab: z.optional(z.string()) }),
  /** The state: sent to the tab that has asked for it, or to all after a register. */
  z.object({ kind: z.literal('snapshot'), tab: z.optional(z.string()), snapshot }),
  /** The events of one poll, with the cursor before and after them. */
  z.object({
    kind: z.literal('batch'),
    batch: z.object({
      queueId: z.string(),
      after: z.int(),
      lastEventId: z.int(),
      events,
    }),
  }),
  /** The events of the live channel up to its position `after`. */
  z.object({ kind: z.literal('live'), after: z.string(), events }),
  /** The member is present in another tab than the polling one, which reports it. `active`: there was recent input. */
  z.object({ kind: z.literal('here'), active: z.boolean() }),
  z.object({ kind: z.literal('presences'), presences, update: z.optional(z.int()) }),
  z.object({ kind: z.literal('connection'), connection: z.enum(['online', 'reconnecting', 'chat-server-away', 'signed-out']) }),
]);
export type News = z.output<typeof news>;
