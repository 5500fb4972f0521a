import { type Range, findFolded, mergeOverlapping } from './find.ts';
import { fold } from './fold.ts';

/** Alert words are the same when they differ only in case or width. */
export const wordKey = (word: string): string => word.normalize('NFKC').toLowerCase();

/**
 * Whether a part of a text isWordAt there as a word. One that begins or ends with a Latin letter or a digit does so only
 * where the text does not go on with one; Japanese, which has no space between words, does anywhere.
 */
export function isWordAt(text: string, start: number, end: number): boolean {
  return !goesThrough(text, start) && !goesThrough(text, end);
}

/** Whether a Latin word or a number goes on across a place in a text. */
function goesThrough(text: string, at: number): boolean {
  return isLatinOrDigit(text.charAt(at - 1)) && isLatinOrDigit(text.charAt(at));
}

/** Latin letters and digits, of which words are made that have space around them. */
export const isLatinOrDigit = (character: string): boolean => /[\p{Script=Latin}\p{Nd}]/u.test(character);

/** Where alert words stand in a text, as it was typed. `words`: as their owner wrote them. */
export function findAlertWords(text: string, words: readonly string[]): Range[] {
  const ranges = words.flatMap((word) => {
    const key = wordKey(word);
    // Folding makes more words one than `wordKey` does.
    return findFolded(text, [fold(word)]).filter(({ start, end }) => {
      return wordKey(text.slice(start, end)).includes(key) && isWordAt(text, start, end);
    });
  });
  return mergeOverlapping(ranges.toSorted((one, other) => one.start - other.start));
}
