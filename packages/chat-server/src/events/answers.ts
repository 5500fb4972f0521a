import { AnswerInParts } from '../http/router.ts';
import type { DeliveredBody } from '../http/exchange.ts';
import { remembered } from './batch.ts';
import type { WrittenEvent } from './delivery.ts';

/** A queue id is a UUID, so it needs no escape in JSON. */
const [beforeId, afterId] = ['{"result":"success","msg":"","queue_id":"', '","events":['];
const afterEvents = Buffer.from(']}\n');
const comma = Buffer.from(',');

/** Bytes of events that are kept, because further recipients may get the same events in another answer. */
const mostKept = 1_000_000;

/** Members who return together share the bytes of the events. */
export function answerInParts(queueId: string, events: readonly WrittenEvent[]): AnswerInParts {
  return new AnswerInParts(beforeId + queueId + afterId, partsOf(events.map(bytesOf)));
}

/** Members who receive the same events, one after the other, share all bytes except the id of the queue. */
export function createAnswers(): (queueId: string, events: readonly WrittenEvent[]) => DeliveredBody {
  let written: { readonly events: readonly WrittenEvent[]; readonly bytes: Uint8Array } | undefined;
  const keptBytesOf = keepingBytes();
  return (queueId, events) => {
    if (!written || !areSame(events, written.events)) {
      written = { events, bytes: Buffer.concat([Buffer.from(afterId), ...partsOf(events.map(keptBytesOf))]) };
    }
    return { before: beforeId, own: queueId, shared: written.bytes };
  };
}

/** The answer after `afterId`. */
function partsOf(events: readonly Uint8Array[]): Uint8Array[] {
  return [...events.flatMap((event, index) => (index > 0 ? [comma, event] : [event])), afterEvents];
}

const bytesOf = (event: WrittenEvent): Uint8Array => (typeof event === 'string' ? Buffer.from(event) : event);

/** Like `bytesOf`. Members with some own messages among the events get all of them as texts, most of which are the same. */
function keepingBytes(): (event: WrittenEvent) => Uint8Array {
  const kept = new Map<string, Uint8Array>();
  let size = 0;
  return (event) => {
    if (typeof event !== 'string') return event;
    return remembered(kept, event, () => {
      const bytes = bytesOf(event);
      if (size + bytes.length > mostKept) {
        kept.clear();
        size = 0;
      }
      size += bytes.length;
      return bytes;
    });
  };
}

const areSame = (some: readonly WrittenEvent[], others: readonly WrittenEvent[]): boolean =>
  some.length === others.length && some.every((event, index) => event === others[index]);
