import { AnswerInParts } from '../http/router.ts';
import type { DeliveredBody } from '../http/exchange.ts';
import { remembered } from './batch.ts';
import type { WrittenEvent } from './delivery.ts';

/** A queue id is a UUID, so it needs no escape in JSON. */
const [beforeId, afterId] = ['{"result":"success","msg":"","queue_id":"', '","events":['];
const afterEvents = Buffer.from(']}\n');
const comma = Buffer.from(',');

/** The answer to one member. Its events may be bytes that others share. */
export function answerInParts(queueId: string, events: readonly WrittenEvent[]): AnswerInParts {
  return new AnswerInParts(beforeId + queueId + afterId, partsOf(events, bytesOf));
}

/**
 * For one delivery. Members who receive the same events, one after the other, share all bytes except the id of the queue. Members with
 * own messages among the events get all of them as texts, each of which is encoded once.
 */
export function createAnswers(): (queueId: string, events: readonly WrittenEvent[]) => DeliveredBody {
  let written: { readonly events: readonly WrittenEvent[]; readonly bytes: Uint8Array } | undefined;
  const encoded = new Map<WrittenEvent, Uint8Array>();
  const sharedBytesOf = (event: WrittenEvent) => remembered(encoded, event, () => bytesOf(event));
  return (queueId, events) => {
    if (!written || !areSame(events, written.events)) {
      written = { events, bytes: Buffer.concat([Buffer.from(afterId), ...partsOf(events, sharedBytesOf)]) };
    }
    return { before: beforeId, own: queueId, shared: written.bytes };
  };
}

/** The answer after `afterId`. */
function partsOf(events: readonly WrittenEvent[], encode: (event: WrittenEvent) => Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const event of events) {
    if (parts.length > 0) parts.push(comma);
    parts.push(encode(event));
  }
  parts.push(afterEvents);
  return parts;
}

const bytesOf = (event: WrittenEvent): Uint8Array => (typeof event === 'string' ? Buffer.from(event) : event);

const areSame = (some: readonly WrittenEvent[], others: readonly WrittenEvent[]): boolean =>
  some.length === others.length && some.every((event, index) => event === others[index]);
