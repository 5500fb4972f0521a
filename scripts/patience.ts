/** What comes in a moment takes longer on a busy machine: nothing is said to be missing before the test's own time is over. */
import { afterAll, vi } from 'vitest';

const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 30_000, interval: 10, ...options });
// The next file of tests in this process finds it as this one did.
afterAll(() => {
  vi.waitFor = waitFor;
});
