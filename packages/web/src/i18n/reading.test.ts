import { expect, it } from 'vitest';
import { groupByReading } from './reading.ts';

it('[R1.5] Members are sorted by their reading in any kind of kana', () => {
  const groups = groupByReading(['やまだ', 'ワタナベ', 'ﾀﾅｶ', 'さとう', 'たなか'], (reading) => reading);
  expect(groups.flatMap(({ items }) => items)).toEqual(['さとう', 'ﾀﾅｶ', 'たなか', 'やまだ', 'ワタナベ']);
});

it('[R1.5] Members are grouped by the rows of the kana table, with other readings last', () => {
  const groups = groupByReading(['Smith', 'ごとう', 'いとう', 'かとう', ''], (reading) => reading);
  expect(groups.map(({ heading, items }) => [heading, items.length])).toEqual([
    ['あ', 1],
    ['か', 2],
    [undefined, 2],
  ]);
});
