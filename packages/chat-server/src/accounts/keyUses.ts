import { type Clock, seconds } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { apiKeys } from './apiKeys.ts';
import type { KeyedUserRow } from '../identity/store.ts';

/** The last use of a key is stored again only after this many seconds, so that calls rarely cause a write. */
const notedEvery = 5 * 60;
const mostPerSweep = 1000;

/** Collects the last uses of program keys in memory and saves them together, so that a call does not write. */
export class KeyUses {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #used = new Map<number, number>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  note({ key_id, key_kind, key_last_used }: KeyedUserRow): void {
    if (key_kind !== 'program' || this.#used.has(key_id)) return;
    const now = seconds(this.#clock);
    if (now - (key_last_used ?? 0) >= notedEvery) this.#used.set(key_id, now);
  }

  lastOf(key: { readonly id: number; readonly last_used: number | null }): number | null {
    return this.#used.get(key.id) ?? key.last_used;
  }

  async save(): Promise<void> {
    const used = [...this.#used].slice(0, mostPerSweep);
    if (used.length === 0) return;
    await this.#database.write((tx) => {
      for (const [id, time] of used) apiKeys.noteUse(tx, id, time);
    });
    for (const [id] of used) this.#used.delete(id);
  }
}
