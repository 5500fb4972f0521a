import { type EphemeralType, typingMilliseconds } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import type { Reader } from '../database/index.ts';
import type { Queue } from './queues.ts';

/** An event that is kept for fifteen seconds and never logged. */
export interface EphemeralEvent {
  readonly type: EphemeralType;
  /** A newer event with the same key replaces an older one that is still stored. */
  readonly key: string;
  /** Users who may receive the event. `receives` decides for each queue. */
  readonly userIds: ReadonlySet<number> | 'everyone';
  receives(reader: Reader, queue: Queue): boolean;
  /** The event as JSON objects without ids, none if nothing of it is for the queue. Many recipients share the serialised texts. */
  texts(reader: Reader, queue: Queue): readonly string[];
}

interface Stored {
  readonly number: number;
  readonly expires: number;
  readonly event: EphemeralEvent;
}

const mostStored = 1000;

export class EphemeralEvents {
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: EphemeralEvent) => void>();
  #stored: readonly Stored[] = [];
  #published = 0;
  /** By queue id, the number of its last delivered event, ascending. Entries older than all stored events are removed. */
  readonly #delivered = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  publish(event: EphemeralEvent): void {
    this.#published += 1;
    const stored = { number: this.#published, expires: this.#clock.now() + typingMilliseconds.expires, event };
    this.#stored = [...this.#stored.filter((each) => each.event.key !== event.key), stored].slice(-mostStored);
    this.#removeExpired();
    for (const listener of this.#listeners) listener(event);
  }

  onPublish(listener: (event: EphemeralEvent) => void): void {
    this.#listeners.add(listener);
  }

  /** Whether `take` may return events for this queue. */
  mayHaveFor(queue: Queue): boolean {
    const delivered = this.#delivered.get(queue.id) ?? 0;
    return this.#stored.some(({ number, event }) => number > delivered && isAddressedTo(queue, event));
  }

  /** Takes the events that the queue has not received, as JSON. They get the id `examined`, which skips no logged event. */
  take(reader: Reader, queue: Queue, examined: number): string[] {
    if (this.#stored.length === 0) return [];
    this.#removeExpired();
    if (this.#stored.length === 0) return [];
    const delivered = this.#delivered.get(queue.id) ?? 0;
    // A map keeps the order of insertion, so the entry is deleted and added again at the end.
    this.#delivered.delete(queue.id);
    this.#delivered.set(queue.id, this.#published);
    return this.#stored
      .slice(this.#stored.findLastIndex(({ number }) => number <= delivered) + 1)
      .filter(({ event }) => isFor(reader, queue, event))
      .flatMap(({ event }) => event.texts(reader, queue))
      .map((text) => `${text.slice(0, -1)},"id":${examined}}`);
  }

  #removeExpired(): void {
    const now = this.#clock.now();
    // An event may expire too late if it was stored before the clock was set back.
    const isExpired = ({ expires }: Stored) => expires <= now || expires > now + typingMilliseconds.expires;
    if (this.#stored.some(isExpired)) this.#stored = this.#stored.filter((each) => !isExpired(each));
    const oldest = this.#stored[0]?.number ?? Infinity;
    for (const [queueId, delivered] of this.#delivered) {
      if (delivered >= oldest) break;
      this.#delivered.delete(queueId);
    }
  }
}

const isFor = (reader: Reader, queue: Queue, event: EphemeralEvent): boolean =>
  isAddressedTo(queue, event) && event.receives(reader, queue);

function isAddressedTo({ member, options }: Queue, { type, userIds }: EphemeralEvent): boolean {
  if (options.event_types && !options.event_types.includes(type)) return false;
  return userIds === 'everyone' || userIds.has(member.id);
}
