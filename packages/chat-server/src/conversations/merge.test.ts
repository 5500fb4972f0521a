import { expect, it } from 'vitest';
import { seeded } from '../testing/random.ts';
import { merge, newestFirst, oldestFirst } from './merge.ts';

it('merge() returns the ids of several sorted lists in one order', () => {
  expect([...merge([[9, 4, 1].values(), [8, 7].values(), [].values()], newestFirst)]).toEqual([9, 8, 7, 4, 1]);
  expect([...merge([[1, 4].values(), [2].values()], oldestFirst)]).toEqual([1, 2, 4]);
});

it('merge() returns the ids of 40 sorted lists in ascending or descending order', () => {
  const random = seeded(1);
  const ids = Array.from({ length: 500 }, () => random.below(300)).toSorted((one, other) => one - other);
  const lists = [...Map.groupBy(ids, () => random.below(40)).values()];
  expect([
    ...merge(
      lists.map((list) => list.values()),
      oldestFirst,
    ),
  ]).toEqual(ids);
  expect([
    ...merge(
      lists.map((list) => list.toReversed().values()),
      newestFirst,
    ),
  ]).toEqual(ids.toReversed());
});

it('merge() reads its lists only as far as the caller takes ids', () => {
  const read: number[] = [];
  function* endless(step: number): Generator<number, undefined> {
    for (let id = step; ; id += step) {
      read.push(id);
      yield id;
    }
  }
  expect([...merge([endless(2), endless(3)], oldestFirst).take(4)]).toEqual([2, 3, 4, 6]);
  expect(read.length).toBeLessThanOrEqual(7);
});

it('merge() returns no ids if the caller takes none', () => {
  expect([...merge([[1].values()], oldestFirst).take(0)]).toEqual([]);
});
