import { expect, it } from 'vitest';
import { createRowHeights, estimatedHeight, indexOf } from './rowHeights.ts';

function measured(heights: Readonly<Record<number, number>>) {
  const rows = createRowHeights();
  rows.become(Object.keys(heights).map(Number));
  Object.values(heights).forEach((height, index) => rows.measure(index, height));
  return rows;
}

it('Row distances are measured from the end of the message list', () => {
  const rows = measured({ 1: 10, 2: 20, 3: 30 });
  expect([0, 1, 2, 3].map(rows.distanceOf)).toEqual([60, 50, 30, 0]);
  expect([0, 29, 30, 49, 50, 59].map(rows.indexAt)).toEqual([2, 2, 1, 1, 0, 0]);
});

it('indexAt returns the first or the last row for a distance outside the message list', () => {
  const rows = measured({ 1: 10, 2: 20 });
  expect(rows.indexAt(1000)).toBe(0);
  expect(rows.indexAt(-1000)).toBe(1);
});

it('A row has the estimated height until it is measured, and a measured height of zero counts', () => {
  const rows = createRowHeights();
  rows.become([1, 2, 3]);
  expect(rows.distanceOf(0)).toBe(3 * estimatedHeight);
  rows.measure(1, 0);
  expect(rows.distanceOf(0)).toBe(2 * estimatedHeight);
});

it.each([
  ['older ones come', [7, 8, 11, 12, 13], [estimatedHeight, estimatedHeight, 1, 2, 3]],
  ['newer ones come', [11, 12, 13, 14, 'local-1'], [1, 2, 3, estimatedHeight, estimatedHeight]],
  ['one in the middle goes', [11, 13], [1, 3]],
  ['the list is loaded anew', [12, 13, 14], [2, 3, estimatedHeight]],
  ['all go', [21], [estimatedHeight]],
])('Rows keep their measured heights when the messages change: %s', (_what, after, heights) => {
  const rows = measured({ 11: 1, 12: 2, 13: 3 });
  rows.become(after);
  expect(after.map((_key, index) => rows.distanceOf(index) - rows.distanceOf(index + 1))).toEqual(heights);
});

it('The row of an unsent message keeps its measured height when another message arrives before it', () => {
  const rows = createRowHeights();
  rows.become([1, 'local-1', 'local-2']);
  [10, 20, 30].forEach((height, index) => rows.measure(index, height));
  rows.become([1, 2, 'local-2']);
  expect(rows.distanceOf(0)).toBe(10 + estimatedHeight + 30);
});

it('indexOf returns the index of a message, or the index at which it would be inserted', () => {
  const keys = [3, 5, 8, 'local-1'];
  expect([3, 5, 8].map((key) => indexOf(keys, key))).toEqual([0, 1, 2]);
  expect([1, 4, 9].map((key) => indexOf(keys, key))).toEqual([0, 1, 3]);
  expect(indexOf(keys, 'local-1')).toBe(3);
  expect(indexOf(keys, 'local-9')).toBe(4);
});

it('indexAt finds a row among 100,000 in less than 10 ms', () => {
  const rows = createRowHeights();
  rows.become(Array.from({ length: 100_000 }, (_, index) => index));
  const started = performance.now();
  for (let look = 0; look < 100; look += 1) rows.indexAt(rows.distanceOf(look));
  expect((performance.now() - started) / 100).toBeLessThan(10);
});
