/** Runs tasks one after another per key, so that two windows of a member do not mix their changes. */
export class Turns {
  readonly #last = new Map<number, Promise<unknown>>();

  async take<Result>(memberId: number, change: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(memberId) ?? Promise.resolve()).then(change, change);
    this.#last.set(memberId, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(memberId) === turn) this.#last.delete(memberId);
    }
  }
}
