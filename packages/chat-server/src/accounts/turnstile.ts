/** Lets few through at once; of the others some wait for their turn, and the rest is turned away. */
export class Turnstile {
  readonly #most: { readonly atOnce: number; readonly waiting: number };
  readonly #turnedAway: () => Error;
  readonly #waiting: (() => void)[] = [];
  #through = 0;

  /** @param turnedAway what is thrown at whoever finds too many waiting. */
  constructor(most: { readonly atOnce: number; readonly waiting: number }, turnedAway: () => Error) {
    this.#most = most;
    this.#turnedAway = turnedAway;
  }

  /** In the order in which they came. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#through < this.#most.atOnce) this.#through += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place goes to whoever is next, so that nobody who has just come takes it.
      if (next) next();
      else this.#through -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#most.waiting) throw this.#turnedAway();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
