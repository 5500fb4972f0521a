import { expect, it } from 'vitest';
import { findFolded } from './findFolded.ts';
import { isWholeWord, wordsOf } from './words.ts';

it.each([
  ['会議　Zulip', ['会議', 'zulip']],
  ['"来週 の 会議" 売上', ['来週 の 会議', '売上']],
  ['“来週 の”', ['来週 の']],
  ['a a Ａ', ['a']],
  ['"', []],
  ['"" 　 " "', []],
  ['a"b c"d', ['a', 'b c', 'd']],
  ['"会議 を', ['会議', 'を']],
  ['\ud842', ['\ufffd']],
])('[R2.9.1] wordsOf splits %j into %j', (query, words) => {
  expect(wordsOf(query)).toEqual(words);
});

it.each([
  ['京都支店', '京都', true],
  ['東京都', '京都', false],
  ['東京都内の売上会議', '会議', true],
  ['see the seafood', 'sea', false],
])('[R2.9.1] isWholeWord tells whole words from parts of words: in %s, %s', (text, word, isWhole) => {
  const [range = { start: 0, end: 0 }] = findFolded(text, [word]);
  expect(isWholeWord(text, range)).toBe(isWhole);
});
