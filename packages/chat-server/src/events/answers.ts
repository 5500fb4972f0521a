import { AnswerInParts } from '../http/router.ts';
import type { DeliveredBody } from '../http/exchange.ts';
import type { WrittenEvent } from './delivery.ts';

/** A queue id is a UUID, so it needs no escape in JSON. */
const [beforeId, afterId] = ['{"result":"success","msg":"","queue_id":"', '","events":['];
const afterEvents = Buffer.from(']}\n');
const comma = Buffer.from(',');

/** Members who return together share the bytes of the events. */
export function answerInParts(queueId: string, events: readonly WrittenEvent[]): AnswerInParts {
  return new AnswerInParts(beforeId + queueId + afterId, partsOf(events));
}

/** Members who receive the same events, one after the other, share all bytes except the id of the queue. */
export function createAnswers(): (queueId: string, events: readonly WrittenEvent[]) => DeliveredBody {
  let written: { readonly events: readonly WrittenEvent[]; readonly bytes: Uint8Array } | undefined;
  return (queueId, events) => {
    if (!written || !areSame(events, written.events)) {
      written = { events, bytes: Buffer.concat([Buffer.from(afterId), ...partsOf(events)]) };
    }
    return { before: beforeId, own: queueId, shared: written.bytes };
  };
}

/** The answer after `afterId`. */
function partsOf(events: readonly WrittenEvent[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (const event of events) {
    if (parts.length > 0) parts.push(comma);
    parts.push(typeof event === 'string' ? Buffer.from(event) : event);
  }
  parts.push(afterEvents);
  return parts;
}

const areSame = (some: readonly WrittenEvent[], others: readonly WrittenEvent[]): boolean =>
  some.length === others.length && some.every((event, index) => event === others[index]);
