import { wordKey } from '@engawa/folding';
import { maxAlertWordLength, maxAlertWords } from '@engawa/protocol';

export type AlertWordComplaint = 'missing' | 'tooLong' | 'known' | 'tooMany';

/** Code points, as the server counts. */
export const wordLength = (word: string): number => [...word.trim()].length;

export function complaintAbout(word: string, known: readonly string[]): AlertWordComplaint | undefined {
  const length = wordLength(word);
  if (length === 0) return 'missing';
  if (length > maxAlertWordLength) return 'tooLong';
  const key = wordKey(word.trim());
  if (known.some((each) => wordKey(each) === key)) return 'known';
  return known.length >= maxAlertWords ? 'tooMany' : undefined;
}
