import { expect, it } from 'vitest';
import { romaji } from './romaji.ts';

it.each([
  ['やまだ', ['yamada', 'YAMADA', 'ｙａｍａｄａ']],
  ['しみず', ['shimizu', 'simizu']],
  ['つちや', ['tsuchiya', 'tutiya']],
  ['ふじわら', ['fujiwara', 'huziwara']],
  ['さとう', ['satou', 'sato', 'satoh ']],
  ['おおの', ['oono', 'ono', 'ohno']],
  ['しょうじ', ['shouji', 'shoji', 'syouzi']],
  ['はっとり', ['hattori']],
  ['ほんま', ['honma', 'homma']],
  ['あんな', ['anna', "an'na"]],
  ['じゅんいち', ['junichi', "jun'ichi", 'zyuniti']],
  ['まっちゃ', ['matcha', 'mattya']],
  ['ケビン・スミス', ['kebinsumisu']],
  ['ソフィー', ['sofi']],
])('[I5.5] romaji returns the same for %s and for each of the typed forms %j', (kana, typed) => {
  for (const each of typed) expect(romaji(each)).toBe(romaji(kana));
});

it.each([
  ['しみず', ['s', 'sh', 'shi', 'shim']],
  ['ちば', ['c', 'ch', 'chi']],
  ['つちや', ['t', 'ts', 'tsu']],
  ['じんぼ', ['j', 'ji', 'jin', 'jimb']],
  ['こういち', ['k', 'ko', 'kou', 'koui', 'kouichi']],
])('[I5.5] romaji of %s begins with the romaji of each incomplete input in %j', (kana, typed) => {
  const whole = romaji(kana);
  for (const each of typed) expect(whole.startsWith(romaji(each)) ? each : romaji(each)).toBe(each);
});

it('[I5.5] romaji returns an empty text for a text without kana and Latin letters', () => {
  expect(romaji('山田 123')).toBe('');
});
