import { wordsOf } from '@engawa/folding';
import { expect, it } from 'vitest';
import { excerptOf, longest, textOf } from './excerpt.ts';

/** Writes matches in brackets. */
function shown(text: string, query: string): string {
  const parts = excerptOf(text, wordsOf(query));
  return parts.map((part) => (part.found ? `[${part.text}]` : part.text)).join('');
}

it.each([
  ['東京都内の売上会議は明日です', '会議', '東京都内の売上[会議]は明日です'],
  ['ﾐｰﾃｨﾝｸﾞとミーティング', 'みーてぃんぐ', '[ﾐｰﾃｨﾝｸﾞ]と[ミーティング]'],
  ['Ｚｕｌｉｐを', 'zulip', '[Ｚｕｌｉｐ]を'],
  ['髙橋さん', '高橋', '[髙橋]さん'],
  ['売上と会議', '会議 売上', '[売上]と[会議]'],
  ['<b>会議</b>', '<b>', '[<b>]会議</b>'],
  ['会議', '昼食', '会議'],
  ['会議', '', '会議'],
])('[R2.9.2] The excerpt of %j marks the words that match %j, in their original spelling', (text, query, marked) => {
  expect(shown(text, query)).toBe(marked);
});

it('[R2.9.2] The excerpt of a message is one line', () => {
  expect(shown(' 一行目\n\n二行目　です ', '二行')).toBe('一行目 [二行]目 です');
});

it('[R2.9.2] The excerpt of a long message is the text around the first match', () => {
  const text = `${'あ'.repeat(300)}会議${'い'.repeat(300)}会議`;
  const line = shown(text, '会議');
  expect(line).toMatch(/^…あ+\[会議\]い+…$/);
  expect(line.length).toBeLessThan(longest + 10);
  expect(shown('あ'.repeat(300), '会議')).toBe(`${'あ'.repeat(longest)}…`);
  expect(shown(`会議${'あ'.repeat(300)}`, '会議')).toMatch(/^\[会議\]あ+…$/);
});

it('[R2.9.2] The excerpt of a message does not begin or end inside a grapheme', () => {
  const family = '👨‍👩‍👧';
  const parts = excerptOf(family.repeat(60), []);
  expect(
    parts
      .map(({ text }) => text)
      .join('')
      .replace('…', '')
      .replaceAll(family, ''),
  ).toBe('');
  const around = shown(`${family.repeat(40)}会議${family.repeat(40)}`, '会議');
  expect(around.replaceAll(family, '')).toBe('…[会議]…');
});

it('[R2.9.2] A search looks in the text of a message without markup, or in its file name', () => {
  expect(textOf({ content: 'これは*太字*です', dialect: 'engawa', file: undefined })).toBe('これは太字です');
  expect(textOf({ content: 'x', dialect: 'engawa', file: { name: '見積,最終.xlsx', storedName: 'x', size: 1 } })).toBe(
    '見積,最終.xlsx',
  );
});
