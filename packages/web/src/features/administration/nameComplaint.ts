import type { AdministrationDictionary } from '../../i18n/administration.ja.ts';
import { trimmedLength } from '../../validation/trimmedLength.ts';

export function nameComplaint(
  typed: string,
  most: number,
  words: Pick<AdministrationDictionary, 'missing' | 'tooLong'>,
): string | undefined {
  const length = trimmedLength(typed);
  if (length === 0) return words.missing;
  return length > most ? words.tooLong(most) : undefined;
}
