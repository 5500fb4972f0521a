/** Milliseconds that long looks keep the process before others have their turn; one that takes longer is not cut. */
const longestTurn = 10;

/**
 * Does long looks one after the other, as many as fit into a turn of the event loop. Where hundreds of members return at
 * once, everybody else is served between them, and each answer has left before the next ones are made.
 */
export class Turns {
  readonly #waiting = new Set<() => void>();

  /** In the order in which they came. Resolves to what is seen, or to nothing where nobody waits for it any more. */
  take<Seen>(look: () => Seen | Promise<Seen>, signal: AbortSignal): Promise<Seen | undefined> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#go());
      // What it throws is the inner promise's, and so the outer's.
      this.#waiting.add(() => resolve(new Promise((seen) => seen(signal.aborted ? undefined : look()))));
    });
  }

  #go(): void {
    const began = performance.now();
    for (const turn of this.#waiting) {
      this.#waiting.delete(turn);
      turn();
      if (performance.now() - began >= longestTurn) break;
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#go());
  }
}
