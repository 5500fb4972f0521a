import { wordKey } from '@engawa/folding';
import { maxAlertWordLength, maxAlertWords } from '@engawa/protocol';
import { trimmedLength } from '../../validation/trimmedLength.ts';

export type AlertWordComplaint = 'missing' | 'tooLong' | 'known' | 'tooMany';

export function complaintAbout(word: string, known: readonly string[]): AlertWordComplaint | undefined {
  const length = trimmedLength(word);
  if (length === 0) return 'missing';
  if (length > maxAlertWordLength) return 'tooLong';
  const key = wordKey(word.trim());
  if (known.some((each) => wordKey(each) === key)) return 'known';
  return known.length >= maxAlertWords ? 'tooMany' : undefined;
}
