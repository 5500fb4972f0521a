import { type Clock, seconds } from '../clock.ts';
import type { Reader, Transaction, Columns, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';
import { sql } from 'kysely';
import { type LogRange, SharedLookups } from './batch.ts';
import { mostLength } from './delivery.ts';
import { LogPage } from './logPage.ts';
import { longestTurn } from '../turns.ts';

/** Without `created`: SQLite stores it after the payload, so reading it would read all pages of a long payload. */
export type EventRow = Omit<Row<'event'>, 'created'>;
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

/** Ids are in the order of commits. */
const insertEvent = queries.insert((query, row: Columns<Omit<Row<'event'>, 'id'>>) =>
  query.insertInto('event').values(columns(row, ['type', 'reach', 'reach_id', 'message_id', 'payload', 'created'])),
);
const withoutPayload = ['id', 'type', 'reach', 'reach_id', 'message_id'] as const;
const selectAfter = queries.rows((query, id: Value<number>, most: Value<number>) =>
  query.selectFrom('event').select(withoutPayload).select('payload').where('id', '>', id).orderBy('id').limit(most),
);
/** Without the payloads for single users: a call that marks 5,000 messages as read logs one of 370 kB. */
const selectForPage = queries.rows((query, id: Value<number>, most: Value<number>) =>
  query
    .selectFrom('event')
    .select(withoutPayload)
    .select(sql<string>`CASE reach WHEN 'self' THEN '' ELSE payload END`.as('payload'))
    .where('id', '>', id)
    .orderBy('id')
    .limit(most),
);
const selectEvent = queries.row((query, id: Value<number>) =>
  query.selectFrom('event').select(withoutPayload).select('payload').where('id', '=', id),
);
const counter = (name: string) => sql<number>`(SELECT value FROM counter WHERE name = ${sql.lit(name)})`;
/** The last id of an event, which may have been deleted. SQLite counts it, because the ids of `event` are AUTOINCREMENT. */
const lastEventId = sql<number>`(SELECT seq FROM sqlite_sequence WHERE name = 'event')`;
/** One row, because each poll reads them. */
const selectCounters = queries.row((query) =>
  query.selectNoFrom([
    lastEventId.as('newest'),
    counter('pruned').as('pruned'),
    counter('users').as('users'),
    counter('messages').as('messages'),
  ]),
);
const noCounters = { newest: 0, pruned: 0, users: 0, messages: 0 };
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

/** A cached page has `rowsPerPage` events. */
const rowsPerPage = 1000;
/** Members who return together are soon at different pages. Without payloads, all of them take 25 MB. */
const mostPages = 100;
/** Of the payloads of all cached pages. */
const mostCharacters = 12_000_000;
/** At most this many events are read directly from the database. Most polls need no more. */
const fewRows = 50;
/** One poll examines no further page after this many events, or after this many that can reach its member. */
const enoughEvents = 4000;
const enoughRows = 200;

/** Delivery reads all events from this log. A logged event can be delivered any number of times. */
export class EventLog {
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #isNotified = true;
  #newest: number | undefined;
  /** The key is the id before the page's first event. The last used page comes last. Logged events never change. */
  readonly #pages = new Map<number, LogPage>();
  #pagesUsed = false;
  #characters = 0;
  #lookups = new SharedLookups('');

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  append(tx: Transaction, { type, reach, reachId, messageId, payload }: NewEvent): number {
    const id = insertEvent(tx, {
      type,
      reach,
      reach_id: reachId ?? null,
      message_id: messageId ?? null,
      payload: JSON.stringify(payload),
      created: seconds(this.#clock),
    });
    tx.afterCommit(() => {
      this.#newest = id;
      this.#notify();
    });
    return id;
  }

  onCommit(listener: () => void): void {
    this.#listeners.add(listener);
  }

  readonly after = selectAfter;

  /** All events after an id, at most `most`. */
  rangeAfter(reader: Reader, id: number, most: number): LogRange {
    const rows = this.after(reader, id, most);
    return { rows, upTo: rows.at(-1)?.id ?? id, isAll: rows.length < most };
  }

  /**
   * The events after an id that can reach a member, from pages that are shared between many members who return at the same time, for
   * example after a weekend or a restart. Ends at a page, after `enoughEvents`, `enoughRows` or `longestTurn`, or after `mostLength` of
   * payloads for this user alone.
   * @param newest the newest event id. @param conversationIds all in which the member is or was; undefined: events of all.
   */
  rangeFor(
    reader: Reader,
    id: number,
    newest: number,
    userId: number,
    conversationIds: (() => Iterable<number>) | undefined,
  ): LogRange {
    if (newest - id <= fewRows) return this.rangeAfter(reader, id, fewRows + 1);
    const began = performance.now();
    const ids = conversationIds && [...conversationIds()];
    const rows: EventRow[] = [];
    let upTo = id;
    let length = 0;
    const mayGoOn = () => upTo - id < enoughEvents && rows.length < enoughRows && performance.now() - began < longestTurn;
    do {
      const page = this.#pageAfter(reader, upTo, newest);
      for (const row of ids ? page.reaching(userId, ids, upTo) : page.after(upTo)) {
        if (row.reach !== 'self') {
          rows.push(row);
          continue;
        }
        const own = row.reach_id === userId ? selectEvent(reader, row.id) : undefined;
        if (!own) continue;
        rows.push(own);
        length += own.payload.length;
        if (length > mostLength) return { rows, upTo: own.id, isAll: own.id >= newest };
      }
      upTo = page.newest ?? newest;
    } while (upTo < newest && mayGoOn());
    return { rows, upTo, isAll: upTo >= newest };
  }

  #pageAfter(reader: Reader, id: number, newest: number): LogPage {
    this.#pagesUsed = true;
    const before = id - (id % rowsPerPage);
    const page = this.#pages.get(before) ?? new LogPage();
    const last = Math.min(newest, before + rowsPerPage);
    const known = page.newest ?? before;
    // Pruned events are missing in a page, so that it may have fewer rows.
    this.#forget(before);
    if (known < last) page.add(selectForPage(reader, known, last - known).filter((row) => row.id <= last));
    this.#pages.set(before, page);
    this.#characters += page.characters;
    for (const [oldest] of this.#pages) {
      if (this.#pages.size <= mostPages && this.#characters <= mostCharacters) break;
      this.#forget(oldest);
    }
    return page;
  }

  #forget(before: number): void {
    this.#characters -= this.#pages.get(before)?.characters ?? 0;
    this.#pages.delete(before);
  }

  /** `newest` is the newest event id, and `pruned` the newest deleted one. Both are 0 at the beginning. */
  bounds(reader: Reader): { readonly newest: number; readonly pruned: number } {
    return selectCounters(reader) ?? noCounters;
  }

  /** The shared look-ups of the newest state. @param reader must read the newest state. */
  lookups(reader: Reader): SharedLookups {
    const { users, messages } = selectCounters(reader) ?? noCounters;
    const version = `${users} ${messages}`;
    if (this.#lookups.version !== version || this.#lookups.isFull) this.#lookups = new SharedLookups(version);
    return this.#lookups;
  }

  /** How many ids the newest committed event is after this one. Undefined if this log has seen no commit yet. */
  missed(id: number): number | undefined {
    return this.#newest === undefined ? undefined : this.#newest - id;
  }

  /** Frees what was not used since the last call. */
  evictPages(): void {
    if (!this.#pagesUsed) {
      this.#pages.clear();
      this.#characters = 0;
      this.#lookups = new SharedLookups('');
    }
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
