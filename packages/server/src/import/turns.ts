import { setImmediate } from 'node:timers/promises';

/** Milliseconds that a long work keeps the process before others have their turn. */
const longestTurn = 10;

/** Does what a generator does, in turns, so that polls and messages need not wait until a large file is done. */
export async function inTurns<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - since < longestTurn) continue;
    await setImmediate();
    since = performance.now();
  }
}
