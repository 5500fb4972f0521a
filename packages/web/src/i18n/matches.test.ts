import { fold } from '@engawa/folding';
import { expect, it } from 'vitest';
import { matches } from './matches.ts';

it('[R2.23] A query matches a text in another width, case or kind of kana', () => {
  expect(fold('ﾐｰﾃｨﾝｸﾞ')).toBe(fold('みーてぃんぐ'));
  expect(fold('ミーティング')).toBe(fold('みーてぃんぐ'));
  expect(fold('Ｚｕｌｉｐ')).toBe('zulip');
});

it('[R1.5] A query matches a member by parts of the name and reading in any order', () => {
  expect(matches('やまだ', '山田 葵', 'ヤマダ アオイ')).toBe(true);
  expect(matches('ﾔﾏﾀﾞ', '山田 葵', 'やまだ あおい')).toBe(true);
  expect(matches('葵　山田', '山田 葵', 'やまだ あおい')).toBe(true);
  expect(matches('佐藤', '山田 葵', 'やまだ あおい')).toBe(false);
});

it('[R1.5] An empty query matches every text', () => {
  expect(matches('  ', '山田')).toBe(true);
});
