/** Runs a limited number of tasks at once and lets a limited number wait. It refuses all others. */
export class Turnstile {
  readonly #most: { readonly atOnce: number; readonly waiting: number };
  readonly #refusal: () => Error;
  readonly #waiting: (() => void)[] = [];
  #through = 0;

  constructor(most: { readonly atOnce: number; readonly waiting: number }, refusal: () => Error) {
    this.#most = most;
    this.#refusal = refusal;
  }

  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#through < this.#most.atOnce) this.#through += 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The ended task hands its slot to the next waiting task, so that a new task cannot take it first.
      if (next) next();
      else this.#through -= 1;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#most.waiting) throw this.#refusal();
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }
}
