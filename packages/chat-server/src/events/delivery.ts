import { z } from 'zod';
import type { DeliveryBatch } from './batch.ts';
import type { EventLog, EventRow } from './log.ts';
import type { Queue } from './queues.ts';

/** Most rows of the log that one poll examines, and characters after which it leaves the rest to the next poll. */
export const mostExamined = 1000;
const mostCharacters = 1_000_000;

/** @returns the event in JSON as the member of the queue sees it; undefined if they do not receive it. */
export type EventSerializer = (event: EventRow, queue: Queue, batch: DeliveryBatch) => string | undefined;

/** The rules that the other folders give to delivery, which knows nothing of conversations and messages. */
export interface DeliveryRules {
  receives(event: EventRow, queue: Queue, batch: DeliveryBatch): boolean;
  /** At least all users who may receive events for the members of a conversation. */
  possibleMembers(conversationId: number, batch: DeliveryBatch): Iterable<number>;
  /** By event type. Events of other types are delivered as they were logged. */
  readonly serializers: ReadonlyMap<string, EventSerializer>;
}

export type EventSerializers = readonly (readonly [type: string, EventSerializer])[];

export interface Delivery {
  readonly events: readonly string[];
  /** The newest id that was examined. A client that acknowledges it misses nothing. */
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
  // The heartbeat moves the client's cursor past a full page without events, so that the next poll examines the next page.
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
