import {
  maxPresencesPerAnswer,
  maxPresencesPerBatch,
  presenceDays,
  presenceSeconds,
  presenceBatchSeconds,
} from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { Fleeting } from '../events/ephemeral.ts';
import { settings } from '../settings/store.ts';
import { users } from '../identity/store.ts';
import { presenceEvent } from './event.ts';
import { presences } from './store.ts';

interface Entry {
  /** Unix seconds: when the member last did something, and when they were last connected. 0: never. */
  readonly active: number;
  readonly idle: number;
  /** The same as they were when the others were last given them. */
  readonly given: Pick<Entry, 'active' | 'idle'>;
  /** Those who know of an earlier one have not been given them. */
  readonly updateId: number;
}

/** Unix seconds. */
export interface Shown {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}
const nothing = { active: 0, idle: 0 };

/** Seconds in which one member's times are not given to the others again, while they go on being there. */
const givenAgainAfter = 55;
/** Most members who are written down in one transaction. */
const mostSaved = 2000;
/** Most texts that many share; the one that was written first makes room. Members ask since about as many updates. */
const mostShared = 64;
const secondsPerDay = 24 * 60 * 60;

/**
 * Who is there, and who was when: of active members who show it. It is kept in memory and written down now and then, so
 * that a restart forgets at most a minute. Whoever shows it to nobody is shown none, so that everybody else may be
 * given the same. Work and memory are bounded by the members.
 */
export class Presence {
  readonly #database: Database;
  readonly #fleeting: Fleeting;
  readonly #clock: Clock;
  readonly #stop: () => void;
  readonly #entries = new Map<number, Entry>();
  /** Members who show it no longer, by the update with which the others are told. */
  readonly #gone = new Map<number, number>();
  readonly #withheld: Set<number>;
  /** Members who have come or gone since the last tick. */
  readonly #news = new Set<number>();
  readonly #unsaved = new Set<number>();
  /** What was written since the last tick, by what it is for: many ask for the same. */
  readonly #written = new Map<string, string>();
  /** Update ids are milliseconds, so that those of a process come after those of the one before it. */
  #updateId: number;
  #hasChanged = false;
  /** How often somebody was forgotten. */
  #forgotten = 0;

  constructor(database: Database, fleeting: Fleeting, clock: Clock) {
    this.#database = database;
    this.#fleeting = fleeting;
    this.#clock = clock;
    this.#updateId = clock.now();
    this.#withheld = new Set(settings.usersWithOther(database.reader, 'presence_enabled'));
    for (const { user_id, active, idle } of presences.since(database.reader, this.#horizon())) {
      const given = { active, idle };
      if (this.isShown(user_id)) this.#entries.set(user_id, { ...given, given, updateId: idle * 1000 });
    }
    this.#stop = clock.every(presenceBatchSeconds * 1000, () => this.#tick());
  }

  /** Whether a member shows the others when they are there, and so is shown it of them. */
  isShown(userId: number): boolean {
    return !this.#withheld.has(userId);
  }

  /** The member is there: they do something, or a client of theirs is merely connected. */
  note(userId: number, isActive: boolean): void {
    if (!this.isShown(userId)) return;
    const now = seconds(this.#clock);
    const known = this.#entries.get(userId);
    // Times to come are those of a clock that was set back.
    const before = known && known.idle <= now ? known : { ...nothing, given: nothing, updateId: 0 };
    const times = { active: isActive ? now : before.active, idle: now };
    const isGivenAgain = now - before.given.idle >= givenAgainAfter || (isActive && now - before.given.active >= givenAgainAfter);
    const update = isGivenAgain ? { given: times, updateId: this.#nextUpdate() } : {};
    this.#entries.set(userId, { ...before, ...times, ...update });
    this.#gone.delete(userId);
    this.#unsaved.add(userId);
    // Sooner than the others take the member for gone: they may have been given the newest a while ago.
    const hasCome = isActive && now - before.active >= presenceSeconds.offline - presenceSeconds.ping;
    if (hasCome) this.#news.add(userId);
  }

  /**
   * The member shows it no longer, or again: as part of the change of their setting. What was known of them is gone.
   */
  show(tx: Transaction, userId: number, isShown: boolean): void {
    if (!isShown) presences.remove(tx, userId);
    tx.afterCommit(() => {
      if (isShown) this.#withheld.delete(userId);
      else this.#withheld.add(userId);
      this.#forget(userId);
    });
  }

  /** The member is a member no longer, as part of that change. */
  remove(tx: Transaction, userId: number): void {
    presences.remove(tx, userId);
    tx.afterCommit(() => this.#forget(userId));
  }

  /** The newest update that there is an answer to. */
  get updateId(): number {
    return this.#updateId;
  }

  /** When a member was there, as another member may know it. */
  of(viewerId: number, userId: number): Shown | undefined {
    const entry = this.isShown(viewerId) ? this.#entries.get(userId) : undefined;
    return entry && entry.idle > this.#horizon() ? shownOf(entry) : undefined;
  }

  /**
   * Those of whom there is something new after an update, by their ids. Since the beginning (-1) they are those who
   * were there in the last days; afterwards also those of whom nothing is to be known any more.
   */
  since(updateId: number): ReadonlyMap<number, Shown> {
    const horizon = this.#horizon();
    // One that was never given here is of a clock that was set back: whoever has it begins anew.
    const known = updateId > this.#updateId ? -1 : updateId;
    const newer = [...this.#entries].filter(([, entry]) => entry.updateId > known && entry.idle > horizon);
    const newest =
      newer.length > maxPresencesPerAnswer ? newer.toSorted(([, one], [, other]) => other.updateId - one.updateId) : newer;
    const left = known < 0 ? [] : [...this.#gone].filter(([, update]) => update > known);
    return new Map([
      ...newest.slice(0, maxPresencesPerAnswer).map(([id, entry]) => [id, shownOf(entry)] as const),
      ...left.map(([id]) => [id, shownOf()] as const),
    ]);
  }

  /** What is written for many, once between two ticks. */
  shared(what: string, write: () => string): string {
    const known = this.#written.get(what);
    if (known !== undefined) return known;
    const text = write();
    const [first] = this.#written.size < mostShared ? [] : this.#written.keys();
    if (first !== undefined) this.#written.delete(first);
    this.#written.set(what, text);
    return text;
  }

  /** Writes down when members were last there, all of them, and others have their turn in between. */
  async save(): Promise<void> {
    const unsaved = [...this.#unsaved];
    for (let saved = 0; saved < unsaved.length; saved += mostSaved) {
      await this.#saveSome(unsaved.slice(saved, saved + mostSaved));
    }
  }

  close(): void {
    this.#stop();
  }

  async #saveSome(userIds: readonly number[]): Promise<void> {
    await this.#database.write((tx) => {
      for (const user_id of userIds) {
        const entry = this.#entries.get(user_id);
        // A change before this one in the same transaction may have been that they show it no longer.
        const isKept = users.byId(tx, user_id)?.is_active === 1 && settings.get(tx, user_id, 'presence_enabled');
        if (entry && isKept) presences.put(tx, { user_id, active: entry.active, idle: entry.idle });
      }
      tx.afterCommit(() => userIds.forEach((userId) => this.#unsaved.delete(userId)));
    });
  }

  #forget(userId: number): void {
    this.#unsaved.delete(userId);
    this.#written.clear();
    this.#forgotten += 1;
    if (!this.#entries.delete(userId)) return;
    this.#gone.set(userId, this.#nextUpdate());
    this.#news.add(userId);
  }

  #nextUpdate(): number {
    this.#hasChanged = true;
    return this.#updateId + 1;
  }

  /** One text for everyone, however many have come and gone and however many hear of it. */
  #tick(): void {
    this.#written.clear();
    if (!this.#hasChanged) return;
    this.#hasChanged = this.#news.size > maxPresencesPerBatch;
    this.#updateId = Math.max(this.#updateId + 1, this.#clock.now());
    const news = [...this.#news].slice(0, maxPresencesPerBatch);
    if (news.length === 0) return;
    for (const userId of news) this.#news.delete(userId);
    this.#fleeting.tell(
      presenceEvent({
        updateId: this.#updateId,
        userIds: news,
        now: this.#clock.now() / 1000,
        shown: (userId) => shownOf(this.#entries.get(userId)),
        emailOf: (userId) => users.byId(this.#database.reader, userId)?.email,
        isShown: (userId) => this.isShown(userId),
        mark: () => this.#forgotten,
      }),
    );
  }

  /** Unix seconds: who was last there before is not told of. */
  #horizon(): number {
    return seconds(this.#clock) - presenceDays * secondsPerDay;
  }
}

/** Of whom there is nothing to know any more, nothing. */
const shownOf = ({ active, idle }: Pick<Entry, 'active' | 'idle'> = nothing): Shown => ({
  active_timestamp: active,
  idle_timestamp: idle,
});
