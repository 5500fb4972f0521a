import { onTestFinished, vi } from 'vitest';

/**
 * Until the test ends, work takes no time, so that one turn of the event loop runs all tasks that are ready, even on a busy machine.
 * @returns a function that lets so many milliseconds pass.
 */
export function stopTaskTime(): (milliseconds: number) => void {
  return tellTime(0);
}

/** Until the test ends, each look at the time of a task is so many milliseconds after the last one. */
export function advanceTaskTime(milliseconds: number): void {
  tellTime(milliseconds);
}

function tellTime(perLook: number): (milliseconds: number) => void {
  let now = 0;
  const pass = (milliseconds: number) => (now += milliseconds);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => pass(perLook));
  onTestFinished(() => clock.mockRestore());
  return pass;
}
