import { z } from 'zod';
import { sfuAnswer, sfuOffer, sfuReachable, sfuSlots } from '@engawa/protocol/sfu';

/** Messages between the server and the process of the forwarding unit. A participant is named by call and slot. */

const place = {
  call: z.string(),
  slot: z
    .int()
    .min(0)
    .max(sfuSlots - 1),
};
/** Counts the connections of a place, so that a late message about an earlier one is ignored. */
const round = z.int();

export const toWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('open'), ...place, round }),
  z.object({ kind: z.literal('answer'), ...place, answer: sfuAnswer }),
  z.object({ kind: z.literal('close'), ...place }),
  z.object({ kind: z.literal('ping') }),
]);
export type ToWorker = z.output<typeof toWorker>;

export const fromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('pong') }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
  z.object({ kind: z.literal('offer'), call: z.string(), offer: sfuOffer }),
  z.object({ kind: z.literal('reachable'), ...place, reachable: sfuReachable }),
  /** The library refused something for one connection, which is closed. */
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);
export type FromWorker = z.output<typeof fromWorker>;
