import { randomBytes } from 'node:crypto';
import { type LiveAnswer, type LiveEvent, liveLimits } from '@engawa/protocol/live';

/** Times are milliseconds since 1970. */
export interface PublishedEvent {
  readonly event: LiveEvent;
  readonly characters: number;
  readonly at: number;
}

interface WaitingPoll {
  readonly due: number;
  answer(): void;
}

/** The newest events of a member, in memory only, and the polls of their browsers. */
export class Channel {
  /** Another channel does not know the positions of this one. */
  readonly #epoch = randomBytes(9).toString('base64url');
  readonly #waiting = new Set<WaitingPoll>();
  #events: (PublishedEvent & { readonly id: number })[] = [];
  #characters = 0;
  #newest = 0;
  #usedAt: number;

  constructor(now: number) {
    this.#usedAt = now;
  }

  push(published: PublishedEvent): void {
    this.#newest += 1;
    this.#events.push({ ...published, id: this.#newest });
    this.#characters += published.characters;
    while (this.#events.length > liveLimits.events || this.#characters > liveLimits.characters) this.#dropOldest();
    for (const { answer } of this.#waiting) answer();
  }

  /** @returns the events after the position, at once if there are any or if the position is unknown. */
  poll(after: string | undefined, now: number, signal: AbortSignal): Promise<LiveAnswer> {
    this.#usedAt = now;
    if (this.#positionOf(after) !== this.#newest || signal.aborted) return Promise.resolve(this.#eventsAfter(after));
    return new Promise((resolve) => {
      const answer = () => {
        signal.removeEventListener('abort', answer);
        this.#waiting.delete(poll);
        resolve(this.#eventsAfter(after));
      };
      const poll = { due: now + liveLimits.poll * 1000, answer };
      this.#waiting.add(poll);
      signal.addEventListener('abort', answer);
      const [oldest] = this.#waiting;
      if (this.#waiting.size > liveLimits.polls) oldest?.answer();
    });
  }

  /** Answers the polls whose time is over, and drops old events. @returns whether the channel is still used. */
  check(now: number): boolean {
    for (const { due, answer } of this.#waiting) if (due <= now) answer();
    const oldest = now - liveLimits.kept * 1000;
    while (this.#events[0] && this.#events[0].at < oldest) this.#dropOldest();
    if (this.#waiting.size > 0) this.#usedAt = now;
    return this.#usedAt >= oldest;
  }

  #dropOldest(): void {
    this.#characters -= this.#events.shift()?.characters ?? 0;
  }

  /** @returns undefined for a position in another channel, and for one before events that are dropped. */
  #positionOf(after: string | undefined): number | undefined {
    const [epoch, digits] = after?.split('.') ?? [];
    const position = Number(digits);
    const isKnown = epoch === this.#epoch && position >= this.#newest - this.#events.length && position <= this.#newest;
    return isKnown ? position : undefined;
  }

  #eventsAfter(after: string | undefined): LiveAnswer {
    const position = this.#positionOf(after);
    const events = this.#events.filter(({ id }) => position !== undefined && id > position);
    return {
      after: `${this.#epoch}.${this.#newest}`,
      missed: position === undefined,
      events: events.map(({ id, event }) => ({ ...event, id })),
    };
  }
}
