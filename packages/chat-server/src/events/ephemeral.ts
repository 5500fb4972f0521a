import { typingMilliseconds } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import type { Reader } from '../database/index.ts';
import type { Queue, QueueOptions } from './queues.ts';

/** What is told to those who are there and never written down. */
export interface FleetingEvent {
  readonly type: string;
  /** Who did what where, as a key: what is told of it anew takes the place of what was told of it before. */
  readonly about: string;
  /** Who may hear of it. */
  readonly userIds: ReadonlySet<number> | 'everyone';
  /** Whether one of these does, on this queue. */
  hears(reader: Reader, queue: Queue): boolean;
  /** As JSON objects without their ids. What many are told is written once. */
  texts(options: QueueOptions): readonly string[];
}

interface Kept {
  /** One more than that of the event that was told before it. */
  readonly number: number;
  /** Milliseconds. */
  readonly until: number;
  readonly event: FleetingEvent;
}

/** Most events that are kept for queues between two polls. */
const mostKept = 1000;

/** Keeps fleeting events for the short while between a queue's polls. */
export class Fleeting {
  readonly #clock: Clock;
  readonly #listeners = new Set<(event: FleetingEvent) => void>();
  /** The oldest first. */
  #kept: readonly Kept[] = [];
  #told = 0;
  /** By queue: the newest that it was told, ascending. Only what is still kept needs to be remembered. */
  readonly #seen = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  tell(event: FleetingEvent): void {
    this.#told += 1;
    const kept = { number: this.#told, until: this.#clock.now() + typingMilliseconds.expires, event };
    this.#kept = [...this.#kept.filter((each) => each.event.about !== event.about), kept].slice(-mostKept);
    this.#forgetOld();
    for (const listener of this.#listeners) listener(event);
  }

  onTell(listener: (event: FleetingEvent) => void): void {
    this.#listeners.add(listener);
  }

  /**
   * What a queue has not been told yet, as JSON texts. They bear the newest id that was examined for it, which is not
   * their own: a client that acknowledges it misses nothing and goes back to nothing.
   */
  take(reader: Reader, queue: Queue, examined: number): string[] {
    this.#forgetOld();
    if (this.#kept.length === 0) return [];
    const seen = this.#seen.get(queue.id) ?? 0;
    // Out and in again, so that it stands behind those that were told less.
    this.#seen.delete(queue.id);
    this.#seen.set(queue.id, this.#told);
    return this.#kept
      .slice(this.#kept.findLastIndex(({ number }) => number <= seen) + 1)
      .filter(({ event }) => hears(reader, queue, event))
      .flatMap(({ event }) => event.texts(queue.options))
      .map((text) => `${text.slice(0, -1)},"id":${examined}}`);
  }

  #forgetOld(): void {
    const now = this.#clock.now();
    // What would be kept longer than anything is was told before the clock was set back.
    const isOld = ({ until }: Kept) => until <= now || until > now + typingMilliseconds.expires;
    if (this.#kept.some(isOld)) this.#kept = this.#kept.filter((each) => !isOld(each));
    const oldest = this.#kept[0]?.number ?? Infinity;
    for (const [queueId, seen] of this.#seen) {
      if (seen >= oldest) break;
      this.#seen.delete(queueId);
    }
  }
}

function hears(reader: Reader, queue: Queue, event: FleetingEvent): boolean {
  const { member, options } = queue;
  if (options.event_types && !options.event_types.includes(event.type)) return false;
  if (event.userIds !== 'everyone' && !event.userIds.has(member.id)) return false;
  return event.hears(reader, queue);
}
