import { variants } from './variants.ts';

/** Variation selectors of ideographs and emoji. */
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;
/** Katakana, dashes, the wave dash, the final sigma and variant kanji. */
const folded = new RegExp(`[ァ-ヶヽヾ\u2010-\u2015\u2212〜ς${[...variants.keys()].join('')}]`, 'gu');

/** For comparison only: widths, cases, katakana and hiragana, and variant kanji become equal. */
export function fold(text: string): string {
  return text.replace(selectors, '').normalize('NFKC').toLowerCase().replace(folded, foldCharacter);
}

const others: ReadonlyMap<string, string> = new Map([
  ['〜', '~'],
  // `toLowerCase` turns Σ into ς or σ, depending on the next character.
  ['ς', 'σ'],
  ...variants,
]);

function foldCharacter(character: string): string {
  if (character >= 'ァ' && character <= 'ヾ') return String.fromCharCode(character.charCodeAt(0) - 0x60);
  return others.get(character) ?? '-';
}
