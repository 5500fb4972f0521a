import { expect, it } from 'vitest';
import { arrivals, hasSent, rangeAfter } from './scrolling.ts';

it('[R9.2] rangeAfter returns the range of the same messages after older ones were added before them', () => {
  const before = { keys: [13, 14, 15, 16], from: 1, to: 3 };
  const after = [11, 12, 13, 14, 15, 16];
  expect(rangeAfter(before, after)).toEqual({ keys: after, from: 3, to: 5 });
});

it('[R4.10] rangeAfter returns the same range when newer messages arrive, and extends a range at the end to the new end', () => {
  const after = [13, 14, 15, 16, 17];
  expect(rangeAfter({ keys: [13, 14, 15, 16], from: 0, to: 2 }, after)).toEqual({ keys: after, from: 0, to: 2 });
  expect(rangeAfter({ keys: [13, 14, 15, 16], from: 2, to: 4 }, after)).toEqual({ keys: after, from: 2, to: 5 });
});

it('[R4.4] rangeAfter returns the range of the messages that are left after the list was loaded again', () => {
  const before = { keys: [10, 11, 12, 13, 14, 'local-1'], from: 1, to: 4 };
  expect(rangeAfter(before, [12, 13, 14, 15, 'local-1'])).toMatchObject({ from: 0, to: 2 });
  expect(rangeAfter(before, [20, 21])).toMatchObject({ from: 0, to: 0 });
  expect(rangeAfter(before, [])).toMatchObject({ from: 0, to: 0 });
});

it('[R4.10] hasSent detects that the reader has added a new unsent message', () => {
  expect(hasSent([1, 2], [1, 2, 'local-1'])).toBe(true);
  expect(hasSent([1, 2, 'local-1'], [1, 2, 3, 'local-1'])).toBe(false);
  expect(hasSent([1, 'local-1', 'local-2'], [1, 2, 'local-1'])).toBe(false);
  expect(hasSent([1, 'local-1', 'local-2'], [1, 'local-1'])).toBe(false);
  expect(hasSent([1, 2], [1, 2, 3])).toBe(false);
  expect(hasSent([], [1, 2, 'local-1'])).toBe(false);
});

it('[R4.5] arrivals returns the ids of messages that were added after the last known message', () => {
  expect(arrivals([3, 4], [1, 2, 3, 4, 5, 'local-1'])).toEqual([5]);
  expect(arrivals([3, 'local-1'], [3, 5])).toEqual([5]);
  expect(arrivals([3, 'local-1'], [3, 4, 'local-1'])).toEqual([4]);
  expect(arrivals([3, 4, 5], [3, 5, 6])).toEqual([6]);
  expect(arrivals([], [1, 2])).toEqual([]);
  expect(arrivals([1], [8, 9])).toEqual([]);
});
