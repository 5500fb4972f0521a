import { expect, it } from 'vitest';
import { backoff } from './backoff.ts';

it('waits a second first, then longer up to a minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => backoff(failures, () => 1));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

it('never waits less than a second, whatever the chance', () => {
  expect([1, 2, 50].map((failures) => backoff(failures, () => 0))).toEqual([1000, 1000, 1000]);
});
