import { onTestFinished, vi } from 'vitest';

/** Until the test ends, tasks take no time, so that one turn of the event loop runs all that are ready, even on a busy machine. */
export function stopTaskTime(): void {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => clock.mockRestore());
}
