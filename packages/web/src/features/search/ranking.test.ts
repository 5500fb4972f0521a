import { wordsOf } from '@engawa/folding';
import { expect, it } from 'vitest';
import { isFoundWhole } from './ranking.ts';

it.each([
  ['京都支店の見積', '京都', true],
  ['東京都の予算', '京都', false],
  ['東京都と京都', '京都', true],
  ['東京都の会議', '京都 会議', false],
  ['件名だけにある', '京都', true],
])('[R2.9.1] The ranking of hits distinguishes a whole word from a part of another word: %s, %s', (content, query, isWhole) => {
  expect(isFoundWhole({ content, dialect: 'engawa', file: undefined, topic: '' }, wordsOf(query))).toBe(isWhole);
});
