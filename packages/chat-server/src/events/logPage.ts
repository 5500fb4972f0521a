import { remembered } from './batch.ts';
import type { EventRow } from './log.ts';

/** Consecutive events of the log, which never change, without the payloads of those for single users. Later events may follow. */
export class LogPage {
  readonly #rows: EventRow[] = [];
  /** By user id and by conversation id, the events that reach only them. */
  readonly #toSelf = new Map<number, EventRow[]>();
  readonly #toMembers = new Map<number, EventRow[]>();
  readonly #toOthers: EventRow[] = [];
  #characters = 0;

  /** The id of the newest event; undefined if there is none. */
  get newest(): number | undefined {
    return this.#rows.at(-1)?.id;
  }

  /** Characters of the payloads that it holds. */
  get characters(): number {
    return this.#characters;
  }

  add(rows: readonly EventRow[]): void {
    for (const row of rows) {
      this.#rows.push(row);
      this.#characters += row.payload.length;
      this.#listFor(row).push(row);
    }
  }

  /** The events after an id, except those that reach only other users or other conversations. */
  reaching(userId: number, conversationIds: Iterable<number>, after: number): EventRow[] {
    const found: EventRow[] = [];
    const add = (rows: readonly EventRow[] = []) => {
      for (const row of rows) if (row.id > after) found.push(row);
    };
    add(this.#toOthers);
    add(this.#toSelf.get(userId));
    for (const id of conversationIds) add(this.#toMembers.get(id));
    return found.toSorted((one, other) => one.id - other.id);
  }

  after(id: number): readonly EventRow[] {
    return this.#rows.filter((row) => row.id > id);
  }

  #listFor({ reach, reach_id: id }: EventRow): EventRow[] {
    if (id !== null && reach === 'self') return remembered(this.#toSelf, id, () => []);
    if (id !== null && reach === 'members') return remembered(this.#toMembers, id, () => []);
    return this.#toOthers;
  }
}
