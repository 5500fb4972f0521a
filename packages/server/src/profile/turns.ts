/** One thing after the other for each member, so that two of their windows do not mix what they change. */
export class Turns {
  readonly #last = new Map<number, Promise<unknown>>();

  /** Does it when what the same member asked for before is over, however that ended. */
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
