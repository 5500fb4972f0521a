import { variants } from './variants.ts';

/** Variation selectors of ideographs and emoji. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** The characters that `fold` replaces: katakana, dashes, the wave dash, the final sigma and variant kanji. */
const folded = new RegExp(`[ァ-ヶヽヾ\u2010-\u2015\u2212〜ς${[...variants.keys()].join('')}]`, 'gu');

/** Use it only to compare texts: it makes widths, cases, katakana and hiragana, and variant kanji equal. */
export function fold(text: string): string {
  return text.replace(selectors, '').normalize('NFKC').toLowerCase().replace(folded, foldCharacter);
}

const others: ReadonlyMap<string, string> = new Map([
  ['〜', '~'],
  // `toLowerCase` turns Σ into ς at the end of a word and into σ elsewhere, so both become σ.
  ['ς', 'σ'],
  ...variants,
]);

function foldCharacter(character: string): string {
  if (character >= 'ァ' && character <= 'ヾ') return String.fromCharCode(character.charCodeAt(0) - 0x60);
  return others.get(character) ?? '-';
}
