import { onTestFinished, vi } from 'vitest';

/** Until the test ends, tasks take no time, so that one turn of the event loop runs all that are ready, even on a busy machine. */
export function stopTaskTime(): void {
  advanceTaskTime(0);
}

/** Until the test ends, each look at the time of a task is so many milliseconds after the last one. */
export function advanceTaskTime(milliseconds: number): void {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += milliseconds));
  onTestFinished(() => clock.mockRestore());
}
