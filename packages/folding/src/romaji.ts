/** Japanese in Latin letters, however somebody writes it: Hepburn, Kunrei, with long vowels or without. */
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
/** What they say takes the place of the vowel before them: しゃ, ふぁ. */
const small: ReadonlyMap<string, string> = new Map(
  [...'ゃゅょぁぃぅぇぉ'].map((each, index): [string, string] => [each, ['ya', 'yu', 'yo', ...vowels][index] ?? '']),
);

/** The ways of writing that become one, in this order. */
const ways: readonly (readonly [written: RegExp, one: string])[] = [
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
  // Somebody is still typing.
  [/sh$/, 's'],
  [/ch$|ts$/, 't'],
  [/j$/, 'z'],
];

/** One way of writing for all: of kana, or of what somebody has typed in Latin letters. Empty where it is neither. */
export function romaji(text: string): string {
  const typed = [...fold(text)].reduce(written, '');
  return ways.reduce((said, [way, one]) => said.replace(way, one), typed);
}

function written(before: string, character: string, index: number, all: readonly string[]): string {
  const glide = small.get(character);
  if (glide !== undefined) return before.replace(/[aiueo]$/, '') + glide;
  // It doubles what follows.
  if (character === 'っ') return before + (letters.get(all[index + 1] ?? '')?.charAt(0) ?? '');
  if (character === 'ー') return before;
  return before + (letters.get(character) ?? character);
}
