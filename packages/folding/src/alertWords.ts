import { type Range, findFolded, mergeOverlapping } from './find.ts';
import { fold } from './fold.ts';

/** Two alert words that differ only in case or width have the same key. */
export const wordKey = (word: string): string => word.normalize('NFKC').toLowerCase();

/** A Latin word must not touch another Latin letter or digit. Japanese has no spaces, so a Japanese word may be anywhere. */
export function isWordAt(text: string, start: number, end: number): boolean {
  return !splitsWord(text, start) && !splitsWord(text, end);
}

function splitsWord(text: string, at: number): boolean {
  return isLatinOrDigit(text.charAt(at - 1)) && isLatinOrDigit(text.charAt(at));
}

export const isLatinOrDigit = (character: string): boolean => /[\p{Script=Latin}\p{Nd}]/u.test(character);

export function findAlertWords(text: string, words: readonly string[]): Range[] {
  const ranges = words.flatMap((word) => {
    const key = wordKey(word);
    // Folding makes more words equal than `wordKey` does, such as katakana and hiragana, so each match is compared again.
    return findFolded(text, [fold(word)]).filter(({ start, end }) => {
      return wordKey(text.slice(start, end)).includes(key) && isWordAt(text, start, end);
    });
  });
  return mergeOverlapping(ranges.toSorted((one, other) => one.start - other.start));
}
