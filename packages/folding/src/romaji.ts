/** Makes different ways to write Japanese in Latin letters equal: Hepburn and Kunrei, with and without long vowels. */
import { fold } from './fold.ts';

const rows: readonly (readonly [consonant: string, kana: string])[] = [
  ['', 'あいうえお'],
  ['k', 'かきくけこ'],
  ['g', 'がぎぐげご'],
  ['s', 'さしすせそ'],
  ['z', 'ざじずぜぞ'],
  ['t', 'たちつてと'],
  ['d', 'だぢづでど'],
  ['n', 'なにぬねの'],
  ['h', 'はひふへほ'],
  ['b', 'ばびぶべぼ'],
  ['p', 'ぱぴぷぺぽ'],
  ['m', 'まみむめも'],
  ['r', 'らりるれろ'],
];
const vowels = 'aiueo';

const letters: ReadonlyMap<string, string> = new Map([
  ...rows.flatMap(([consonant, kana]) =>
    [...kana].map((each, index): [string, string] => [each, consonant + vowels.charAt(index)]),
  ),
  ...[...'やゆよわをんゔ'].map((each, index): [string, string] => [each, ['ya', 'yu', 'yo', 'wa', 'o', 'n', 'bu'][index] ?? '']),
]);
/** Small kana, which replace the vowel of the kana before them: しゃ is sha, ふぁ is fa. */
const small: ReadonlyMap<string, string> = new Map(
  [...'ゃゅょぁぃぅぇぉ'].map((each, index): [string, string] => [each, ['ya', 'yu', 'yo', ...vowels][index] ?? '']),
);

/** Replacements that make spellings equal, applied in this order. */
const spellings: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/[^a-z]/g, ''],
  [/tch/g, 'tty'],
  [/shi/g, 'si'],
  [/chi|tyi/g, 'ti'],
  [/tsu/g, 'tu'],
  [/ji|di/g, 'zi'],
  [/dzu|du/g, 'zu'],
  [/fu/g, 'hu'],
  [/f/g, 'h'],
  [/sh(?=[auo])/g, 'sy'],
  [/ch(?=[auo])/g, 'ty'],
  [/jy?(?=[auo])/g, 'zy'],
  [/m(?=[bmp])/g, 'n'],
  [/nn/g, 'n'],
  [/oh(?![aiueoy])|ou|oo/g, 'o'],
  [/uu/g, 'u'],
  // The input may end in an incomplete syllable, because members search while they type.
  [/sh$/, 's'],
  [/ch$|ts$/, 't'],
  [/j$/, 'z'],
];

export function romaji(text: string): string {
  const latin = [...fold(text)].reduce(appendLetters, '');
  return spellings.reduce((spelling, [pattern, replacement]) => spelling.replace(pattern, replacement), latin);
}

function appendLetters(before: string, character: string, index: number, all: readonly string[]): string {
  const glide = small.get(character);
  if (glide !== undefined) return before.replace(/[aiueo]$/, '') + glide;
  // っ doubles the next consonant.
  if (character === 'っ') return before + (letters.get(all[index + 1] ?? '')?.charAt(0) ?? '');
  if (character === 'ー') return before;
  return before + (letters.get(character) ?? character);
}
