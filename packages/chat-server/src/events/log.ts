import { type Clock, seconds } from '../clock.ts';
import type { Reader, Transaction, Columns, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type EventRow = Row<'event'>;
type Reach = EventRow['reach'];

/** What happened, as a change writes it down. Its number is given when it is written. */
export interface NewEvent {
  readonly type: string;
  readonly reach: Reach;
  readonly reachId?: number;
  readonly messageId?: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A counter row, not a sequence: numbers are in the order of commits and never used twice. */
const nextEventId = queries.row((query) =>
  query
    .updateTable('counter')
    .set((build) => ({ value: build('value', '+', 1) }))
    .where('name', '=', 'event')
    .returning('value'),
);
const insertEvent = queries.run((query, row: Columns<EventRow>) =>
  query.insertInto('event').values({
    id: row.id,
    type: row.type,
    reach: row.reach,
    reach_id: row.reach_id,
    message_id: row.message_id,
    payload: row.payload,
    created: row.created,
  }),
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

/** Rows of a page that is kept, how many pages are, and characters of a page's payloads above which it is not. */
const rowsPerPage = 1000;
const mostPages = 32;
const mostCharactersOfPage = 1_000_000;
/** Rows that are read each time anew: mostly there are not as many. */
const fewRows = 50;

/** The log of what happened. It is the truth: what is not in it is not told, and what is in it can be told again. */
export class EventLog {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #told = true;
  /** By their first id, the one that was used last at the end. What was written never changes. */
  readonly #pages = new Map<number, readonly EventRow[]>();
  #pagesUsed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Writes an event down as part of the change that it tells of. */
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
    tx.afterCommit(() => this.#tell());
    return counted.value;
  }

  /** `listener` is called once per commit that wrote events, when they are there to be read. */
  onCommit(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** The events after `id`, oldest first. */
  after(reader: Reader, id: number, most: number): EventRow[] {
    return selectAfter(reader, id, most);
  }

  /** The same, for those who come back together: whole pages are kept for all of them. */
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

  /** The rows after one, up to the end of the page that the first of them is on. */
  #restOfPage(reader: Reader, id: number, most: number): readonly EventRow[] {
    this.#pagesUsed = true;
    const before = id - (id % rowsPerPage);
    const page = this.#pages.get(before) ?? this.after(reader, before, rowsPerPage);
    this.#pages.delete(before);
    const isWhole = page.length === rowsPerPage && page.at(-1)?.id === before + rowsPerPage;
    // Ids follow one another, so that what stands at its place is what it should be.
    if (!isWhole) return this.after(reader, id, Math.min(most, before + rowsPerPage - id));
    const characters = page.reduce((sum, { payload }) => sum + payload.length, 0);
    if (characters <= mostCharactersOfPage) this.#pages.set(before, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > mostPages && oldest !== undefined) this.#pages.delete(oldest);
    return page.slice(id - before, id - before + most);
  }

  /** The newest number given out, and the newest whose event is no longer kept; 0 at the beginning. */
  bounds(reader: Reader): { readonly newest: number; readonly pruned: number } {
    const counters = new Map(selectCounters(reader).map(({ name, value }) => [name, value]));
    return { newest: counters.get('event') ?? 0, pruned: counters.get('pruned') ?? 0 };
  }

  /** Lets go of the pages that nobody has come back to since it was asked to last. */
  evictPages(): void {
    if (!this.#pagesUsed) this.#pages.clear();
    this.#pagesUsed = false;
  }

  /** Lets go of events from before a time, at most `most` at once. */
  prune(tx: Transaction, before: number, most: number): void {
    const id = selectLastOld(tx, before, most)?.id;
    if (!id) return;
    deleteUpTo(tx, id);
    notePruned(tx, id);
  }

  #tell(): void {
    if (!this.#told) return;
    this.#told = false;
    // After all changes of the commit have been told to those who made them.
    setImmediate(() => {
      this.#told = true;
      for (const listener of this.#listeners) listener();
    });
  }
}
