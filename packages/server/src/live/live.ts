import type { Clock } from '@engawa/chat-server/parts';
import { DatabaseClosedError } from '@engawa/chat-server/database';
import type { LiveAnswer, LiveEvent } from '@engawa/protocol/live';
import { Channel, type PublishedEvent } from './channel.ts';

/** Milliseconds. */
const checkedEvery = 1000;

/** Publishes events to the browsers of members who poll for them. */
export class Live {
  readonly #clock: Clock;
  readonly #channels = new Map<number, Channel>();
  readonly #stopTimer: () => void;
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#stopTimer = clock.every(checkedEvery, () => this.#check());
  }

  /**
   * Members who do not poll get nothing, and learn with their next poll that they have missed events. The caller has checked that
   * these members may receive the event.
   */
  publish(userIds: Iterable<number>, event: LiveEvent): void {
    const published = this.#published(event);
    for (const userId of userIds) this.#channels.get(userId)?.push(published);
  }

  /** Publishes an event that each member sees differently. */
  publishEach(userIds: Iterable<number>, eventFor: (userId: number) => LiveEvent): void {
    for (const userId of userIds) this.#channels.get(userId)?.push(this.#published(eventFor(userId)));
  }

  /** @param after the position of the last answer; undefined at first. @throws DatabaseClosedError */
  async poll(userId: number, after: string | undefined, signal: AbortSignal): Promise<LiveAnswer> {
    if (this.#isClosed) throw new DatabaseClosedError('the server is closing');
    const now = this.#clock.now();
    const channel = this.#channels.get(userId) ?? new Channel(now);
    this.#channels.set(userId, channel);
    return channel.poll(after, now, signal);
  }

  /** Answers all waiting polls and refuses new ones, so that the server can close. */
  stop(): void {
    this.#isClosed = true;
    this.#stopTimer();
    for (const channel of this.#channels.values()) channel.check(Infinity);
  }

  #published(event: LiveEvent): PublishedEvent {
    return { event, characters: JSON.stringify(event).length, at: this.#clock.now() };
  }

  #check(): void {
    const now = this.#clock.now();
    for (const [userId, channel] of this.#channels) if (!channel.check(now)) this.#channels.delete(userId);
  }
}
