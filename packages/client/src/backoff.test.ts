import { expect, it } from 'vitest';
import { backoff } from './backoff.ts';

it('backoff returns a wait that begins at one second and grows to at most a minute', () => {
  const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((failures) => backoff(failures, () => 1));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

it('backoff never waits less than a second', () => {
  expect([1, 2, 50].map((failures) => backoff(failures, () => 0))).toEqual([1000, 1000, 1000]);
});
