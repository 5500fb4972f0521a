import { z } from 'zod';
import type { DeliveryBatch } from './batch.ts';
import type { EventLog, EventRow } from './log.ts';
import type { Queue } from './queues.ts';

/** One poll examines at most this many logged events, and stops early after `mostCharacters`. The next poll continues. */
export const mostExamined = 1000;
const mostCharacters = 1_000_000;

/** @returns the event as JSON for the member of the queue; undefined if the member must not receive it. */
export type EventSerializer = (event: EventRow, queue: Queue, batch: DeliveryBatch) => string | undefined;

/** Rules that the folders of conversations and messages provide, because this folder must not import them. */
export interface DeliveryRules {
  receives(event: EventRow, queue: Queue, batch: DeliveryBatch): boolean;
  /** Contains at least all users who may receive an event that reaches the members of a conversation. */
  possibleMembers(conversationId: number, batch: DeliveryBatch): Iterable<number>;
  /** The key is the event type. Events of types without a serializer are delivered as they were logged. */
  readonly serializers: ReadonlyMap<string, EventSerializer>;
}

export type EventSerializers = readonly (readonly [type: string, EventSerializer])[];

export interface Delivery {
  readonly events: readonly string[];
  /** The newest examined event id. A client that acknowledges this id misses no event. */
  readonly examined: number;
}

export function deliver(rules: DeliveryRules, log: EventLog, queue: Queue, cursor: number, batch: DeliveryBatch): Delivery {
  const rows = batch.rowsAfter(cursor, () => log.pagesAfter(batch.reader, cursor, mostExamined));
  const { event_types: types } = queue.options;
  const events: string[] = [];
  let examined = cursor;
  let characters = 0;
  for (const row of rows) {
    if (characters > mostCharacters) break;
    examined = row.id;
    if ((types && !types.includes(row.type)) || !rules.receives(row, queue, batch)) continue;
    const event = (rules.serializers.get(row.type) ?? serializeAsLogged)(row, queue, batch);
    if (event === undefined) continue;
    events.push(event);
    characters += event.length;
  }
  // A full page held no event for this member. A heartbeat moves the client's cursor, so that its next poll reads on.
  if (events.length === 0 && rows.length === mostExamined) return { events: [heartbeat(examined)], examined };
  return { events, examined };
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
