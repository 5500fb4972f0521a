import {
  maxPresencesPerAnswer,
  maxPresencesPerBatch,
  presenceDays,
  presenceSeconds,
  presenceBatchSeconds,
} from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Transaction } from '../database/index.ts';
import { remembered } from '../events/batch.ts';
import type { EphemeralEvent, EphemeralEvents } from '../events/ephemeral.ts';
import type { QueueOptions } from '../events/queues.ts';
import { isGuest } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import { seenAmong } from '../privacy/seenUsers.ts';
import { settings } from '../settings/store.ts';
import { presences } from './store.ts';
import { clientView } from './view.ts';

interface Entry {
  /** Unix seconds of the last activity and the last connection. 0: never. */
  readonly active: number;
  readonly idle: number;
  readonly published: Pick<Entry, 'active' | 'idle'>;
  /** The update that published the times. Clients with an older update do not have them yet. */
  readonly updateId: number;
}

export interface PresenceTimes {
  readonly active_timestamp: number;
  readonly idle_timestamp: number;
}
const nothing = { active: 0, idle: 0 };

/** Seconds between two publications of the times of a member who stays present. */
const publishedAgainAfter = 55;
const mostSaved = 2000;
/** The most texts that are shared; a new one replaces the oldest. Members ask for about as many different updates at a time. */
const mostShared = 64;
const secondsPerDay = 24 * 60 * 60;

/**
 * When active members were last present. A restart loses the last minute at most. Members who hide their presence
 * see none, so all others see the same.
 */
export class Presence {
  readonly #database: Database;
  readonly #ephemeral: EphemeralEvents;
  readonly #clock: Clock;
  readonly #stop: () => void;
  readonly #entries = new Map<number, Entry>();
  /** Members who stopped showing their presence, with the id of the update that tells clients. */
  readonly #gone = new Map<number, number>();
  readonly #hidden: Set<number>;
  /** Members who came online, or stopped showing their presence, since the last batch of events. */
  readonly #arrivals = new Set<number>();
  readonly #unsaved = new Set<number>();
  /** Answers written since the last batch of events, by their content, because many members ask for the same. */
  readonly #texts = new Map<string, string>();
  /** Update ids begin at the time in milliseconds, so that they are higher after a restart. */
  #updateId: number;
  #hasChanged = false;
  #forgotten = 0;

  constructor(database: Database, ephemeral: EphemeralEvents, clock: Clock) {
    this.#database = database;
    this.#ephemeral = ephemeral;
    this.#clock = clock;
    this.#updateId = clock.now();
    this.#hidden = new Set(settings.usersWithOther(database.reader, 'presence_enabled'));
    for (const { user_id, active, idle } of presences.since(database.reader, this.#horizon())) {
      const times = { active, idle };
      if (this.isShown(user_id)) this.#entries.set(user_id, { ...times, published: times, updateId: idle * 1000 });
    }
    this.#stop = clock.every(presenceBatchSeconds * 1000, () => this.#tick());
  }

  /** Whether a member shows their presence, and so sees that of others. */
  isShown(userId: number): boolean {
    return !this.#hidden.has(userId);
  }

  /** Notes that a member is present. @param isActive true if they use a client, false if a client is only connected. */
  note(userId: number, isActive: boolean): void {
    if (!this.isShown(userId)) return;
    const now = seconds(this.#clock);
    const known = this.#entries.get(userId);
    // A time in the future was noted before the clock was set back, so it does not count.
    const before = known && known.idle <= now ? known : { ...nothing, published: nothing, updateId: 0 };
    const times = { active: isActive ? now : before.active, idle: now };
    const isPublished =
      now - before.published.idle >= publishedAgainAfter || (isActive && now - before.published.active >= publishedAgainAfter);
    const update = isPublished ? { published: times, updateId: this.#nextUpdate() } : {};
    this.#entries.set(userId, { ...before, ...times, ...update });
    this.#gone.delete(userId);
    this.#unsaved.add(userId);
    // Others get an event before their time-out ends, because the times that they have may be up to a ping old.
    const hasArrived = isActive && now - before.active >= presenceSeconds.offline - presenceSeconds.ping;
    if (hasArrived) this.#arrivals.add(userId);
  }

  /** Shows or hides a member's presence when they change their setting. In both cases their earlier times are deleted. */
  show(tx: Transaction, userId: number, isShown: boolean): void {
    if (!isShown) presences.remove(tx, userId);
    tx.afterCommit(() => {
      if (isShown) this.#hidden.delete(userId);
      else this.#hidden.add(userId);
      this.#forget(userId);
    });
  }

  remove(tx: Transaction, userId: number): void {
    presences.remove(tx, userId);
    tx.afterCommit(() => this.#forget(userId));
  }

  get updateId(): number {
    return this.#updateId;
  }

  of(viewerId: number, userId: number): PresenceTimes | undefined {
    const entry = this.isShown(viewerId) ? this.#entries.get(userId) : undefined;
    return entry && entry.idle > this.#horizon() ? timesOf(entry) : undefined;
  }

  /** The times changed after an update, by user id; zeros: no longer shown. After -1, all times of the last `presenceDays`. */
  since(updateId: number): ReadonlyMap<number, PresenceTimes> {
    const horizon = this.#horizon();
    // A client with a higher update id got it before the clock was set back, so it gets everything again.
    const known = updateId > this.#updateId ? -1 : updateId;
    const newer = [...this.#entries].filter(([, entry]) => entry.updateId > known && entry.idle > horizon);
    const newest =
      newer.length > maxPresencesPerAnswer ? newer.toSorted(([, one], [, other]) => other.updateId - one.updateId) : newer;
    const left = known < 0 ? [] : [...this.#gone].filter(([, update]) => update > known);
    return new Map([
      ...newest.slice(0, maxPresencesPerAnswer).map(([id, entry]) => [id, timesOf(entry)] as const),
      ...left.map(([id]) => [id, timesOf()] as const),
    ]);
  }

  shared(what: string, write: () => string): string {
    const known = this.#texts.get(what);
    if (known !== undefined) return known;
    const text = write();
    const [first] = this.#texts.size < mostShared ? [] : this.#texts.keys();
    if (first !== undefined) this.#texts.delete(first);
    this.#texts.set(what, text);
    return text;
  }

  /** Saves all times, in several transactions so that other changes are not delayed. */
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
        // An earlier change in the same transaction may have hidden their presence.
        const isSaved = users.byId(tx, user_id)?.is_active === 1 && settings.get(tx, user_id, 'presence_enabled');
        if (entry && isSaved) presences.put(tx, { user_id, active: entry.active, idle: entry.idle });
      }
      tx.afterCommit(() => userIds.forEach((userId) => this.#unsaved.delete(userId)));
    });
  }

  #forget(userId: number): void {
    this.#unsaved.delete(userId);
    this.#texts.clear();
    this.#forgotten += 1;
    if (!this.#entries.delete(userId)) return;
    this.#gone.set(userId, this.#nextUpdate());
    this.#arrivals.add(userId);
  }

  #nextUpdate(): number {
    this.#hasChanged = true;
    return this.#updateId + 1;
  }

  /** Publishes one event to everyone, even if many members changed, because many events would cost much more. */
  #tick(): void {
    this.#texts.clear();
    if (!this.#hasChanged) return;
    this.#hasChanged = this.#arrivals.size > maxPresencesPerBatch;
    this.#updateId = Math.max(this.#updateId + 1, this.#clock.now());
    const changed = [...this.#arrivals].slice(0, maxPresencesPerBatch);
    if (changed.length === 0) return;
    for (const userId of changed) this.#arrivals.delete(userId);
    this.#ephemeral.publish(this.#event(changed));
  }

  /**
   * The event for all who show their presence. Each form of it is written once, and again after a member hid theirs. For a
   * guest it is written with the members they see, at most `maxPresencesPerBatch`.
   */
  #event(userIds: readonly number[]): EphemeralEvent {
    const now = this.#clock.now() / 1000;
    const written = new Map<string, readonly string[]>();
    let forgotten = this.#forgotten;
    return {
      type: 'presence',
      key: `presence ${this.#updateId}`,
      userIds: 'everyone',
      receives: (_, { member }) => this.isShown(member.id),
      texts: (reader, { member, options }) => {
        if (this.#forgotten !== forgotten) written.clear();
        forgotten = this.#forgotten;
        const form = formFor(options);
        if (isGuest(member)) return this.#write(form, [...seenAmong(reader, member, userIds)], now);
        return remembered(written, form, () => this.#write(form, userIds, now));
      },
    };
  }

  /** Members who no longer show their presence get zeros. @param now unix seconds, with a fraction. */
  #write(form: Form, userIds: readonly number[], now: number): string[] {
    if (userIds.length === 0) return [];
    const presences = userIds.map((userId) => [userId, timesOf(this.#entries.get(userId))] as const);
    if (form === 'simplified') return [JSON.stringify({ type: 'presence', presences: Object.fromEntries(presences) })];
    return presences.map(([user_id, times]) =>
      JSON.stringify({
        type: 'presence',
        user_id,
        ...(form === 'slim' ? {} : { email: users.byId(this.#database.reader, user_id)?.email }),
        server_timestamp: now,
        presence: { website: { ...clientView(times), pushable: false } },
      }),
    );
  }

  /** Unix seconds. Members who were last present before this time are not reported. */
  #horizon(): number {
    return seconds(this.#clock) - presenceDays * secondsPerDay;
  }
}

const timesOf = ({ active, idle }: Pick<Entry, 'active' | 'idle'> = nothing): PresenceTimes => ({
  active_timestamp: active,
  idle_timestamp: idle,
});

type Form = 'simplified' | 'slim' | 'legacy';

function formFor({ simplified_presence_events: isSimplified, slim_presence: isSlim }: QueueOptions): Form {
  if (isSimplified) return 'simplified';
  return isSlim ? 'slim' : 'legacy';
}
