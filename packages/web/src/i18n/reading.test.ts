import { expect, it } from 'vitest';
import { groupByReading } from './reading.ts';

it('[R1.5] Members are sorted by reading, in hiragana or katakana alike', () => {
  const groups = groupByReading(['やまだ', 'ワタナベ', 'ﾀﾅｶ', 'さとう', 'たなか'], (reading) => reading);
  expect(groups.flatMap(({ items }) => items)).toEqual(['さとう', 'ﾀﾅｶ', 'たなか', 'やまだ', 'ワタナベ']);
});

it('[R1.5] Members are grouped by the row of the kana table in which their reading begins, and others are last', () => {
  const groups = groupByReading(['Smith', 'ごとう', 'いとう', 'かとう', ''], (reading) => reading);
  expect(groups.map(({ heading, items }) => [heading, items.length])).toEqual([
    ['あ', 1],
    ['か', 2],
    [undefined, 2],
  ]);
});
