import type { Reader } from '../database/index.ts';
import type { EventRow } from './log.ts';

/** One delivery to one or more queues. Other folders add lookups that its recipients share, by `perBatch` and `perEvent`. */
export class DeliveryBatch {
  readonly reader: Reader;
  readonly userIds: readonly number[];
  readonly #texts = new Map<string, string>();
  readonly #rows = new Map<number, readonly EventRow[]>();

  constructor(reader: Reader, userIds: readonly number[]) {
    this.reader = reader;
    this.userIds = userIds;
  }

  rowsAfter(cursor: number, read: () => readonly EventRow[]): readonly EventRow[] {
    return remembered(this.#rows, cursor, read);
  }

  /** All rows of the log that the batch has read. */
  *rows(): Generator<EventRow, void> {
    for (const rows of this.#rows.values()) yield* rows;
  }

  shared(key: string, serialize: () => string): string {
    return remembered(this.#texts, key, serialize);
  }
}

export function perBatch<Value extends object>(create: (batch: DeliveryBatch) => Value): (batch: DeliveryBatch) => Value {
  const values = new WeakMap<DeliveryBatch, Value>();
  return (batch) => remembered(values, batch, () => create(batch));
}

export function perEvent<Value>(
  read: (event: EventRow, batch: DeliveryBatch) => Value,
): (event: EventRow, batch: DeliveryBatch) => Value {
  const values = perBatch(() => new Map<number, Value>());
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
