import { findAlike, mergeOverlapping, type Range } from './find.ts';

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
  const ranges = words
    .flatMap((word) => findAlike(text, [wordKey(word)], wordKey))
    .filter(({ start, end }) => isWordAt(text, start, end));
  return mergeOverlapping(ranges.toSorted((one, other) => one.start - other.start));
}
