import { expect, it } from 'vitest';
import { arrivals, hasSent, rangeAfter } from './scrolling.ts';

it('[R9.2] keeps the same rows mounted when older messages come before them', () => {
  const before = { keys: [13, 14, 15, 16], from: 1, to: 3 };
  const after = [11, 12, 13, 14, 15, 16];
  expect(rangeAfter(before, after)).toEqual({ keys: after, from: 3, to: 5 });
});

it('[R4.10] keeps the same rows mounted above when newer messages come, and the newest where the end was', () => {
  const after = [13, 14, 15, 16, 17];
  expect(rangeAfter({ keys: [13, 14, 15, 16], from: 0, to: 2 }, after)).toEqual({ keys: after, from: 0, to: 2 });
  expect(rangeAfter({ keys: [13, 14, 15, 16], from: 2, to: 4 }, after)).toEqual({ keys: after, from: 2, to: 5 });
});

it('[R4.4] finds its rows again in a list that was loaded anew', () => {
  const before = { keys: [10, 11, 12, 13, 14, 'local-1'], from: 1, to: 4 };
  expect(rangeAfter(before, [12, 13, 14, 15, 'local-1'])).toMatchObject({ from: 0, to: 2 });
  expect(rangeAfter(before, [20, 21])).toMatchObject({ from: 0, to: 0 });
  expect(rangeAfter(before, [])).toMatchObject({ from: 0, to: 0 });
});

it('[R4.10] knows when the reader has sent something', () => {
  expect(hasSent([1, 2], [1, 2, 'local-1'])).toBe(true);
  expect(hasSent([1, 2, 'local-1'], [1, 2, 3, 'local-1'])).toBe(false);
  // What was sent behind one that failed has arrived, or has been taken back.
  expect(hasSent([1, 'local-1', 'local-2'], [1, 2, 'local-1'])).toBe(false);
  expect(hasSent([1, 'local-1', 'local-2'], [1, 'local-1'])).toBe(false);
  expect(hasSent([1, 2], [1, 2, 3])).toBe(false);
  // What was not sent the last time is there when the stream is opened.
  expect(hasSent([], [1, 2, 'local-1'])).toBe(false);
});

it('[R4.5] names the messages that have arrived', () => {
  expect(arrivals([3, 4], [1, 2, 3, 4, 5, 'local-1'])).toEqual([5]);
  expect(arrivals([3, 'local-1'], [3, 5])).toEqual([5]);
  expect(arrivals([3, 'local-1'], [3, 4, 'local-1'])).toEqual([4]);
  expect(arrivals([3, 4, 5], [3, 5, 6])).toEqual([6]);
  expect(arrivals([], [1, 2])).toEqual([]);
  expect(arrivals([1], [8, 9])).toEqual([]);
});
