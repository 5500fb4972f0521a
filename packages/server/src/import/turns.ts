import { setImmediate } from 'node:timers/promises';

const longestTurnMilliseconds = 10;

/** Runs the work in short parts, so that polls and messages do not wait for a large file. */
export async function inTurns<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (performance.now() - since < longestTurnMilliseconds) continue;
    await setImmediate();
    since = performance.now();
  }
}
