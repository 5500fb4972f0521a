import type { Reader } from '../database/index.ts';
import type { EventRow } from './log.ts';
import type { Queue } from './queues.ts';

/** The events that a delivery examines for its members. */
export interface LogRange {
  /** All that can reach the members; others may be left out. */
  readonly rows: readonly EventRow[];
  /** The newest examined event id. */
  readonly upTo: number;
  /** Whether the log has no later events. */
  readonly isAll: boolean;
}

/** Bytes of texts, or characters. */
const mostShared = 20_000_000;

/**
 * Look-ups and texts that several deliveries use, because members who return together receive the same messages. They are valid
 * until a message, a user or an audience changes.
 */
export class SharedLookups {
  readonly version: string;
  readonly #texts = new Map<string, string>();
  #size = 0;

  constructor(version = '') {
    this.version = version;
  }

  text(key: string, serialize: () => string): string {
    return remembered(this.#texts, key, () => {
      const text = serialize();
      this.note(text.length);
      return text;
    });
  }

  /** Counts a shared value that is kept elsewhere, by `perLookups`. */
  note(bytes: number): void {
    this.#size += bytes;
  }

  get isFull(): boolean {
    return this.#size >= mostShared;
  }
}

/** @returns an event as JSON for the member of the queue; undefined if the member must not receive it. */
export type EventWriter = (queue: Queue) => string | undefined;

/** One delivery to one or more queues. Other folders add lookups that its recipients share, by `perBatch` and `perEvent`. */
export class DeliveryBatch {
  readonly reader: Reader;
  readonly userIds: readonly number[];
  readonly #texts = new Map<string, string>();
  readonly #ranges = new Map<number, LogRange>();
  readonly #writers = new Map<number, EventWriter>();
  readonly lookups: SharedLookups;
  readonly memberships: object;

  /** @param memberships stands for the state of all memberships: batches with the same object share look-ups of it. */
  constructor(reader: Reader, userIds: readonly number[], lookups = new SharedLookups(), memberships: object = {}) {
    this.reader = reader;
    this.userIds = userIds;
    this.lookups = lookups;
    this.memberships = memberships;
  }

  rangeAfter(cursor: number, read: () => LogRange): LogRange {
    return remembered(this.#ranges, cursor, read);
  }

  /** The ranges of the log that `rangeAfter` has read, one for each cursor. */
  ranges(): Iterable<LogRange> {
    return this.#ranges.values();
  }

  writer({ id }: EventRow, create: () => EventWriter): EventWriter {
    return remembered(this.#writers, id, create);
  }

  shared(key: string, serialize: () => string): string {
    return remembered(this.#texts, key, serialize);
  }
}

export function perBatch<Value extends object>(create: (batch: DeliveryBatch) => Value): (batch: DeliveryBatch) => Value {
  const values = new WeakMap<DeliveryBatch, Value>();
  return (batch) => remembered(values, batch, () => create(batch));
}

/** Like `perBatch`, for values that depend only on memberships and that batches share until one changes. */
export function perMemberships<Value extends object>(create: () => Value): (batch: DeliveryBatch) => Value {
  const values = new WeakMap<object, Value>();
  return ({ memberships }) => remembered(values, memberships, create);
}

/** Reads a value once per event and batch, for all recipients. It may be undefined. */
export function perEventOfBatch<Value>(
  read: (event: EventRow, batch: DeliveryBatch) => Value,
): (event: EventRow, batch: DeliveryBatch) => Value {
  const values = perBatch(() => new Map<number, { readonly value: Value }>());
  return (event, batch) => remembered(values(batch), event.id, () => ({ value: read(event, batch) })).value;
}

/** Like `perBatch`, for values that batches share. */
export function perLookups<Value extends object>(create: () => Value): (batch: DeliveryBatch) => Value {
  const values = new WeakMap<SharedLookups, Value>();
  return ({ lookups }) => remembered(values, lookups, create);
}

/** The values are shared: they must depend only on the event and on what `SharedLookups` lists. */
export function perEvent<Value>(
  read: (event: EventRow, batch: DeliveryBatch) => Value,
): (event: EventRow, batch: DeliveryBatch) => Value {
  const values = perLookups(() => new Map<number, Value>());
  return (event, batch) => remembered(values(batch), event.id, () => read(event, batch));
}

export function remembered<Key, Value>(values: Values<Key, Value>, key: Key, read: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = read();
  values.set(key, value);
  return value;
}

interface Values<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}
