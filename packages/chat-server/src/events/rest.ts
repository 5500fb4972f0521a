/** A rest begins when more polls than these were answered within so many milliseconds. */
const busy = { polls: 200, milliseconds: 100 };
const longestMilliseconds = 100;
const millisecondsPerPoll = 0.08;

/**
 * A pause of deliveries, in which answered members poll again and others send. If each message of a busy minute were delivered
 * alone, sends would wait for the polls of all.
 */
export class Rest {
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #from = 0;
  #answered = 0;
  /** When the first of the answered polls was counted, in milliseconds. */
  #began = 0;

  /** @param onEnd is called when a rest has lasted long enough. */
  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  get isOn(): boolean {
    return this.#timer !== undefined;
  }

  /** The newest event id when the rest began. */
  get from(): number {
    return this.#from;
  }

  /** @param polls that were answered just now. @param newest the newest event id. */
  afterAnswers(polls: number, newest: number): void {
    if (polls === 0 || this.isOn) return;
    const now = performance.now();
    if (now - this.#began > busy.milliseconds) {
      this.#began = now;
      this.#answered = 0;
    }
    this.#answered += polls;
    if (this.#answered <= busy.polls) return;
    const milliseconds = Math.min(this.#answered * millisecondsPerPoll, longestMilliseconds);
    this.#answered = 0;
    this.#from = newest;
    this.#timer = setTimeout(() => {
      this.end();
      this.#onEnd();
    }, milliseconds);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
