import { variants } from './variants.ts';

/** Which form of the character before them is meant: of an ideograph, of an emoji. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** Katakana, dashes of every length, both wave dashes, the sigma at the end of a word, and the other forms of kanji. */
const folded = new RegExp(`[ァ-ヶヽヾ\u2010-\u2015\u2212〜ς${[...variants.keys()].join('')}]`, 'gu');

/**
 * How a text is written when it is compared and never when it is shown: full and half width, capital and small,
 * katakana and hiragana, the forms of a kanji become one.
 */
export function fold(text: string): string {
  return text.replace(selectors, '').normalize('NFKC').toLowerCase().replace(folded, foldCharacter);
}

const others: ReadonlyMap<string, string> = new Map([
  ['〜', '~'],
  // What `toLowerCase` makes of Σ depends on what stands beside it.
  ['ς', 'σ'],
  ...variants,
]);

function foldCharacter(character: string): string {
  if (character >= 'ァ' && character <= 'ヾ') return String.fromCharCode(character.charCodeAt(0) - 0x60);
  return others.get(character) ?? '-';
}
