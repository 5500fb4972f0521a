import { randomBytes } from 'node:crypto';
import { callLimits, type ReceivedSignal, type ReceivedSignals } from '@engawa/protocol/calls';

type WithoutNumber<Signal> = Signal extends unknown ? Omit<Signal, 'n'> : never;
/** A signal before its number in an inbox. */
export type UnnumberedSignal = WithoutNumber<ReceivedSignal>;

interface WaitingPoll {
  readonly after: number;
  /** Milliseconds since 1970. */
  readonly due: number;
  answer(): void;
}

/** The signals that a participant has not confirmed, in memory only, and the poll that waits for them. */
export class Inbox {
  readonly epoch = randomBytes(9).toString('base64url');
  #signals: { readonly signal: ReceivedSignal; readonly characters: number }[] = [];
  #characters = 0;
  #newest = 0;
  #waiting: WaitingPoll | undefined;

  /** @returns whether the inbox is within its bounds. Beyond them, its participant must join again. */
  push(unnumbered: UnnumberedSignal): boolean {
    this.#newest += 1;
    const signal = { ...unnumbered, n: this.#newest };
    const characters = JSON.stringify(signal).length;
    this.#signals.push({ signal, characters });
    this.#characters += characters;
    this.#waiting?.answer();
    return this.#signals.length <= callLimits.inbox.signals && this.#characters <= callLimits.inbox.characters;
  }

  /** Drops the signals up to `after`. @returns the later ones at once if there are any, else when one arrives. */
  poll(after: number, due: number, signal: AbortSignal): Promise<ReceivedSignals> {
    this.#waiting?.answer();
    while (this.#signals[0] && this.#signals[0].signal.n <= after) this.#characters -= this.#signals.shift()?.characters ?? 0;
    if (this.#signals.length > 0 || signal.aborted) return Promise.resolve(this.#after(after));
    return new Promise((resolve) => {
      const answer = () => {
        signal.removeEventListener('abort', answer);
        if (this.#waiting === waiting) this.#waiting = undefined;
        resolve(this.#after(after));
      };
      const waiting: WaitingPoll = { after, due, answer };
      this.#waiting = waiting;
      signal.addEventListener('abort', answer);
    });
  }

  /** Answers the waiting poll if its time is over. @param now milliseconds since 1970. */
  answerDue(now: number): void {
    if (this.#waiting && this.#waiting.due <= now) this.#waiting.answer();
  }

  #after(after: number): ReceivedSignals {
    return { epoch: this.epoch, signals: this.#signals.map(({ signal }) => signal).filter(({ n }) => n > after) };
  }
}
