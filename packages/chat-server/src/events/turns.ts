/** Long tasks may take this many milliseconds in one turn of the event loop. A single longer task is not interrupted. */
const longestTurn = 10;

/** Runs long tasks one after the other, so that other calls are served in between when hundreds of members return at once. */
export class Turns {
  readonly #waiting = new Set<() => void>();

  /** Runs a task after the tasks of earlier calls. Resolves to undefined if the signal is aborted before the task begins. */
  take<Result>(task: () => Result | Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
    return new Promise((resolve) => {
      if (this.#waiting.size === 0) setImmediate(() => this.#run());
      // An exception of the task rejects the inner promise.
      this.#waiting.add(() => resolve(new Promise((settle) => settle(signal.aborted ? undefined : task()))));
    });
  }

  #run(): void {
    const began = performance.now();
    for (const turn of this.#waiting) {
      this.#waiting.delete(turn);
      turn();
      if (performance.now() - began >= longestTurn) break;
    }
    if (this.#waiting.size > 0) setImmediate(() => this.#run());
  }
}
