import { expect, it } from 'vitest';
import { fold } from './fold.ts';
import { variants } from './variants.ts';

it.each([
  ['ﾐｰﾃｨﾝｸﾞ', 'みーてぃんぐ'],
  ['ミーティング', 'みーてぃんぐ'],
  ['Ｚｕｌｉｐ', 'zulip'],
  ['ヴァイオリン、いすヾ', 'ゔぁいおりん、いすゞ'],
  ['カ\u3099', 'が'],
  ['㍿', '株式会社'],
  ['10〜12時', '10~12時'],
  ['サ−ビス‐A', 'さ-びす-a'],
  ['ΟΔΟΣ', 'οδος'],
  ['ﬁn', 'fin'],
])('[R2.9.1] fold makes %s equal to %s', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

it.each([
  ['高橋', '髙橋'],
  ['渡辺', '渡邊'],
  ['渡辺', '渡邉'],
  ['山崎', '山﨑'],
  ['斉藤', '齋藤'],
  ['斉藤', '斎藤'],
  ['吉野家', '𠮷野家'],
  ['葛城', '葛\u{e0100}城'],
  ['神田', '\ufa19田'],
])('[R2.9.1] fold makes the variant kanji in %s and %s equal', (one, other) => {
  expect(fold(one)).toBe(fold(other));
});

it('fold replaces every variant kanji by a form that is not itself a variant', () => {
  const forms = [...variants.keys()];
  expect(forms.filter((form) => [...variants.values()].includes(form))).toEqual([]);
  expect([...variants].filter(([one, other]) => [...one].length !== 1 || one === other)).toEqual([]);
  expect(forms.filter((form) => form.normalize('NFKC') !== form)).toEqual([]);
});

it('Folding a text that is already folded changes nothing', () => {
  const text = 'ﾐｰﾃｨﾝｸﾞ髙橋İΣ〜❤\ufe0f㍿ﬁ𠮷';
  expect(fold(fold(text))).toBe(fold(text));
});
