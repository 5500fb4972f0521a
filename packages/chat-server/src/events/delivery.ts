import { z } from 'zod';
import type { DeliveryBatch, EventWriter, LogRange } from './batch.ts';
import type { EventRow } from './log.ts';
import type { Queue } from './queues.ts';

/** Waiting polls examine at most this many logged events at once. */
export const mostExamined = 1000;
/** The answer of a poll ends after this many characters or bytes. The next poll continues. */
export const mostLength = 1_000_000;

/** @returns the event as JSON for the member of the queue; undefined if the member must not receive it. */
export type EventSerializer = (event: EventRow, queue: Queue, batch: DeliveryBatch) => string | undefined;

/** Rules that the folders of conversations and messages provide, because this folder must not import them. */
export interface DeliveryRules {
  receives(event: EventRow, batch: DeliveryBatch): (queue: Queue) => boolean;
  /** At least all users who may receive an event that reaches the members of a conversation, each once. */
  possibleMembers(conversationId: number, batch: DeliveryBatch): Iterable<number>;
  /** The conversations whose events can reach the single member of the batch. */
  conversationsOf(batch: DeliveryBatch): Iterable<number>;
  /**
   * For many events of a member of the batch. @returns by the index of the event: the event as `receives` and its
   * serializer would decide, in bytes that members share; null if the member does not receive it; undefined if they must decide.
   */
  usual(events: readonly EventRow[], queue: Queue, batch: DeliveryBatch): readonly (Uint8Array | null | undefined)[];
  /** The key is the event type. Events of types without a serializer are delivered as they were logged. */
  readonly serializers: ReadonlyMap<string, EventSerializer>;
}

export type EventSerializers = readonly (readonly [type: string, EventSerializer])[];

/** In JSON. Bytes are shared with deliveries to other members. */
export type WrittenEvent = string | Uint8Array;

export interface Delivery {
  readonly events: readonly WrittenEvent[];
  /** The newest examined event id. A client that acknowledges this id misses no event. */
  readonly examined: number;
}

/** If a poll examines more events than these, `usual` decides them together. */
const fewEvents = 10;

export function deliver(rules: DeliveryRules, queue: Queue, cursor: number, range: LogRange, batch: DeliveryBatch): Delivery {
  const usual = range.rows.length > fewEvents ? rules.usual(range.rows, queue, batch) : [];
  const events: WrittenEvent[] = [];
  let length = 0;
  let examined = cursor;
  let index = 0;
  // `entries` would make objects for each event and recipient.
  for (const row of range.rows) {
    if (length > mostLength) return { events, examined };
    examined = row.id;
    const decided = usual[index];
    index += 1;
    const event = decided === undefined ? written(rules, row, queue, batch) : decided;
    if (event === undefined || event === null) continue;
    events.push(event);
    length += event.length;
  }
  // The log has more events, but this part held none for this member. A heartbeat moves the cursor, so that the next poll reads on.
  if (events.length === 0 && !range.isAll) return { events: [heartbeat(range.upTo)], examined: range.upTo };
  return { events, examined: range.upTo };
}

/** Within the loop over events, this function would be made for each event and recipient. */
const written = (rules: DeliveryRules, row: EventRow, queue: Queue, batch: DeliveryBatch): string | undefined =>
  batch.writer(row, () => writerOf(rules, row, batch))(queue);

/** Looks up once what is the same for all recipients of the event. */
function writerOf({ receives, serializers }: DeliveryRules, event: EventRow, batch: DeliveryBatch): EventWriter {
  const isReceivedBy = receives(event, batch);
  const serialize = serializers.get(event.type) ?? serializeAsLogged;
  return (queue) => {
    const { event_types: types } = queue.options;
    return (!types || types.includes(event.type)) && isReceivedBy(queue) ? serialize(event, queue, batch) : undefined;
  };
}

export function heartbeat(id: number): string {
  return JSON.stringify({ type: 'heartbeat', id });
}

const loggedPayload = z.record(z.string(), z.unknown());

export function serializeAsLogged(event: EventRow, _: Queue, batch: DeliveryBatch): string {
  return batch.shared(`${event.id}`, () =>
    JSON.stringify({ ...loggedPayload.parse(JSON.parse(event.payload)), type: event.type, id: event.id }),
  );
}
