import { expect, it } from 'vitest';
import { arrivals, isAtEnd, isPrepended, wentUp } from './scrolling.ts';

it('[R4.10] counts 24 px from the end as the end', () => {
  expect(isAtEnd({ scrollOffset: 476, scrollSize: 1000, viewportSize: 500 })).toBe(true);
  expect(isAtEnd({ scrollOffset: 475, scrollSize: 1000, viewportSize: 500 })).toBe(false);
});

it('[R4.10] takes only the reader\'s own way up for a wish to read further up', () => {
  const end = { scrollOffset: 2000, scrollSize: 2500, viewportSize: 500 };
  expect(wentUp(end, { ...end, scrollOffset: 1900 })).toBe(true);
  expect(wentUp(end, { ...end, scrollOffset: 1900, scrollSize: 2480 })).toBe(true);
  expect(wentUp(end, { ...end, scrollSize: 3000 })).toBe(false);
  expect(wentUp(end, { ...end, scrollOffset: 700, scrollSize: 1200 })).toBe(false);
  expect(wentUp(end, { ...end, scrollOffset: 1960, viewportSize: 540 })).toBe(false);
});

it('[R9.2] knows older messages that came before from newer ones that came after', () => {
  expect(isPrepended([3, 4], [1, 2, 3, 4])).toBe(true);
  expect(isPrepended([3, 4], [3, 4, 5])).toBe(false);
  expect(isPrepended([], [1])).toBe(false);
  expect(isPrepended([3, 4], [8, 9])).toBe(false);
});

it('[R4.5] names the messages that were appended', () => {
  expect(arrivals([3, 4], [1, 2, 3, 4, 5, 'local-1'])).toEqual([5, 'local-1']);
  expect(arrivals([3, 'local-1'], [3, 5])).toEqual([5]);
  expect(arrivals([], [1, 2])).toEqual([]);
  expect(arrivals([1], [8, 9])).toEqual([]);
});
