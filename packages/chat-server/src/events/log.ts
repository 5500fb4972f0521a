import { type Clock, seconds } from '../clock.ts';
import type { Reader, Transaction, Columns, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export type EventRow = Row<'event'>;
type Reach = EventRow['reach'];

export interface NewEvent {
  readonly type: string;
  readonly reach: Reach;
  readonly reachId?: number;
  readonly messageId?: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** An event for one user. */
export function toSelf({ id }: { readonly id: number }, content: Pick<NewEvent, 'type' | 'payload'>): NewEvent {
  return { ...content, reach: 'self', reachId: id };
}

/** A row counts the ids, because SQLite would reuse the id of a deleted newest event. Ids are in the order of commits. */
const nextEventId = queries.row((query) =>
  query
    .updateTable('counter')
    .set((build) => ({ value: build('value', '+', 1) }))
    .where('name', '=', 'event')
    .returning('value'),
);
const insertEvent = queries.run((query, row: Columns<EventRow>) =>
  query.insertInto('event').values(columns(row, ['id', 'type', 'reach', 'reach_id', 'message_id', 'payload', 'created'])),
);
const selectAfter = queries.rows((query, id: Value<number>, most: Value<number>) =>
  query.selectFrom('event').selectAll().where('id', '>', id).orderBy('id').limit(most),
);
const selectCounters = queries.rows((query) => query.selectFrom('counter').selectAll());
const selectLastOld = queries.row((query, before: Value<number>, most: Value<number>) =>
  query
    .selectFrom((oldest) => oldest.selectFrom('event').selectAll().orderBy('id').limit(most).as('oldest'))
    .select((build) => build.fn.max('id').as('id'))
    .where('created', '<', before),
);
const deleteUpTo = queries.run((query, id: Value<number>) => query.deleteFrom('event').where('id', '<=', id));
const notePruned = queries.run((query, id: Value<number>) =>
  query.updateTable('counter').set({ value: id }).where('name', '=', 'pruned'),
);

/** A cached page has `rowsPerPage` events. A page with more than `mostCharactersOfPage` of payloads is not cached. */
const rowsPerPage = 1000;
const mostPages = 32;
const mostCharactersOfPage = 1_000_000;
/** The first rows of a read come directly from the database. Most reads need no more. */
const fewRows = 50;

/** Delivery reads all events from this log. A logged event can be delivered any number of times. */
export class EventLog {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #isNotified = true;
  #newest: number | undefined;
  /** The key is the id before the page's first event. The last used page comes last. Logged events never change. */
  readonly #pages = new Map<number, readonly EventRow[]>();
  #pagesUsed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  append(tx: Transaction, { type, reach, reachId, messageId, payload }: NewEvent): number {
    const counted = nextEventId(tx);
    if (!counted) throw new Error('the counter of events is missing');
    insertEvent(tx, {
      id: counted.value,
      type,
      reach,
      reach_id: reachId ?? null,
      message_id: messageId ?? null,
      payload: JSON.stringify(payload),
      created: seconds(this.#clock),
    });
    tx.afterCommit(() => {
      this.#newest = counted.value;
      this.#notify();
    });
    return counted.value;
  }

  onCommit(listener: () => void): void {
    this.#listeners.add(listener);
  }

  readonly after = selectAfter;

  /** Like `after`, but shares cached pages between many clients that return at the same time, for example after a restart. */
  pagesAfter(reader: Reader, id: number, most: number): readonly EventRow[] {
    const first = this.after(reader, id, Math.min(fewRows, most));
    const rows: EventRow[] = [...first];
    for (let last = first.at(-1); last && rows.length >= fewRows && rows.length < most;) {
      const next = this.#restOfPage(reader, last.id, most - rows.length);
      rows.push(...next);
      last = next.at(-1);
    }
    return rows;
  }

  #restOfPage(reader: Reader, id: number, most: number): readonly EventRow[] {
    this.#pagesUsed = true;
    const before = id - (id % rowsPerPage);
    const page = this.#pages.get(before) ?? this.after(reader, before, rowsPerPage);
    this.#pages.delete(before);
    const isWhole = page.length === rowsPerPage && page.at(-1)?.id === before + rowsPerPage;
    // An id is an index into the page only if the page has no gaps.
    if (!isWhole) return this.after(reader, id, Math.min(most, before + rowsPerPage - id));
    const characters = page.reduce((sum, { payload }) => sum + payload.length, 0);
    if (characters <= mostCharactersOfPage) this.#pages.set(before, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > mostPages && oldest !== undefined) this.#pages.delete(oldest);
    return page.slice(id - before, id - before + most);
  }

  /** `newest` is the newest event id, and `pruned` the newest deleted one. Both are 0 at the beginning. */
  bounds(reader: Reader): { readonly newest: number; readonly pruned: number } {
    const counters = new Map(selectCounters(reader).map(({ name, value }) => [name, value]));
    return { newest: counters.get('event') ?? 0, pruned: counters.get('pruned') ?? 0 };
  }

  /** Whether this is the newest committed event. Also false if this log has seen no commit yet. */
  isNewest(id: number): boolean {
    return id === this.#newest;
  }

  evictPages(): void {
    if (!this.#pagesUsed) this.#pages.clear();
    this.#pagesUsed = false;
  }

  prune(tx: Transaction, before: number, most: number): void {
    const id = selectLastOld(tx, before, most)?.id;
    if (!id) return;
    deleteUpTo(tx, id);
    notePruned(tx, id);
  }

  #notify(): void {
    if (!this.#isNotified) return;
    this.#isNotified = false;
    // Delayed, so that the calls that changed something are answered before the events are delivered.
    setImmediate(() => {
      this.#isNotified = true;
      for (const listener of this.#listeners) listener();
    });
  }
}
