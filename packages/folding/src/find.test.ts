import { expect, it } from 'vitest';
import { findFolded } from './findFolded.ts';
import { fold } from './fold.ts';
import { wordsOf } from './words.ts';

const found = (text: string, query: string): string[] =>
  findFolded(text, wordsOf(query)).map(({ start, end }) => text.slice(start, end));

it.each([
  ['東京都内の売上会議は明日です', '会議', ['会議']],
  ['ﾐｰﾃｨﾝｸﾞとミーティング', 'みーてぃんぐ', ['ﾐｰﾃｨﾝｸﾞ', 'ミーティング']],
  ['Ｚｕｌｉｐ と Zulip', 'zulip', ['Ｚｕｌｉｐ', 'Zulip']],
  ['高橋と髙橋', '髙橋', ['高橋', '髙橋']],
  ['ﾊﾞﾗ', 'ばら', ['ﾊﾞﾗ']],
  ['カ\u3099ラス', 'ガ', ['カ\u3099']],
  ['カ\u3099ラス', 'か', []],
  ['㍿縁側', '会社', ['㍿']],
  ['ﬁnal', 'in', ['ﬁn']],
  ['İstanbul', 'i', ['İ']],
  ['x𠮷野y', '吉', ['𠮷']],
  ['👨\u200d👩\u200d👧です', '👩', ['👨\u200d👩\u200d👧']],
  ['葛\u{e0100}城', '葛', ['葛\u{e0100}']],
  ['ああああ', 'ああ', ['ああ', 'ああ']],
  ['売上会議', '上会 会議', ['上会議']],
  ['a_b a.b #45', '#45 a_b', ['a_b', '#45']],
  ['\u3131\u314f', '가', ['\u3131\u314f']],
  ['会議', '鬱蒼', []],
  ['会議', '', []],
])('[R2.9.2] findFolded finds in %j for the query %j these parts of the text as typed: %j', (text, query, expected) => {
  expect(found(text, query)).toEqual(expected);
});

/** Characters of the random texts: Japanese in all widths, Latin, combining marks and emoji. */
const characters: readonly string[] = [
  [...'会議売上東京都高髙辺邊斉齋國'],
  ['か', 'カ', 'ｶ', 'ﾞ', '\u3099', 'は', 'ﾊ', 'ﾟ', 'ー', 'ｰ', 'ヴ', 'ヽ', 'ヾ', '゛', '〜', '～', '㍿', '㌔', '①', '㈱'],
  ['a', 'B', 'Ｃ', 'ß', 'İ', 'ı', 'Σ', 'ς', 'ﬁ', 'é', 'e', '\u0301', '\u0307', '½', 'Å', '´'],
  ['𠮷', '吉', '\ufe0f', '\u{e0100}', '👨\u200d👩\u200d👧', '🇯🇵', '❤', '\ufa19'],
  [' ', '\u3000', '\n', '-', '−', '#', '_', '1', '\u3131', '\u314f', '\u1100', '\u1161'],
].flat();

function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    yield (state >>> 8) / 2 ** 24;
  }
}

it.each([1, 2, 3])(
  '[R2.9.1] findFolded finds every occurrence of a folded word in random texts, always as whole graphemes (seed %i)',
  (seed) => {
    const chance = numbers(seed);
    const below = (limit: number) => Math.floor(chance.next().value * limit);
    const text = (length: number) => Array.from({ length }, () => characters[below(characters.length)]).join('');
    const segmenter = new Intl.Segmenter('ja', { granularity: 'grapheme' });
    let hits = 0;
    for (let round = 0; round < 3000; round += 1) {
      const typed = text(1 + below(24));
      const whole = fold(typed);
      const [start, length] = [below(whole.length), 1 + below(3)];
      const word = below(2) === 0 ? whole.slice(start, start + length) : fold(text(1 + below(2)));
      const ranges = findFolded(typed, [word]);
      expect(ranges.length > 0, JSON.stringify([typed, word])).toBe(word !== '' && whole.includes(word));
      const edges = new Set([...segmenter.segment(typed)].map(({ index }) => index)).add(typed.length);
      let last = 0;
      for (const range of ranges) {
        expect(edges.has(range.start) && edges.has(range.end)).toBe(true);
        expect(range.start >= last && range.end > range.start).toBe(true);
        expect(fold(typed.slice(range.start, range.end)), JSON.stringify([typed, word])).toContain(word);
        last = range.end;
        hits += 1;
      }
    }
    expect(hits).toBeGreaterThan(1000);
  },
);
