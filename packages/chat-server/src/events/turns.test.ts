import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

const neverAborted = new AbortController().signal;

/** Longer than the time that tasks may share in one turn. */
function blockEventLoop(): void {
  const until = performance.now() + 15;
  while (performance.now() < until);
}

it('Turns.take() runs tasks in the order of the calls and returns their results or throws their errors', async () => {
  const turns = new Turns();
  const done: number[] = [];
  const tasks = [1, 2, 3].map((number) => turns.take(() => done.push(number), neverAborted));
  const failing = turns.take(() => {
    throw new TypeError('unseen');
  }, neverAborted);
  await expect(failing).rejects.toThrow('unseen');
  expect(await Promise.all(tasks)).toEqual([1, 2, 3]);
  expect(done).toEqual([1, 2, 3]);
});

it('Turns.take() lets other work of the event loop run between two long tasks', async () => {
  const turns = new Turns();
  let done = 0;
  const tasks = Array.from({ length: 4 }, () =>
    turns.take(() => {
      blockEventLoop();
      done += 1;
    }, neverAborted),
  );
  const between: number[] = [];
  while (done < tasks.length) {
    await setImmediate();
    between.push(done);
  }
  expect(new Set(between)).toEqual(new Set([1, 2, 3, 4]));
  await Promise.all(tasks);
});

it('Turns.take() skips a task whose signal is aborted before the task begins', async () => {
  const turns = new Turns();
  const controller = new AbortController();
  let hasRun = false;
  const task = turns.take(() => {
    hasRun = true;
    return 'seen';
  }, controller.signal);
  controller.abort();
  expect(await task).toBe(undefined);
  expect(hasRun).toBe(false);
  expect(await turns.take(() => 'later', neverAborted)).toBe('later');
});
