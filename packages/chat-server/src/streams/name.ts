import { maxStreamDescriptionLength, maxStreamNameLength, streamNameKey } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { invalidCharacterAt } from '../text/characters.ts';
import { plainName } from '../text/plainName.ts';

/** Removes surrounding space and invisible characters, and checks the limits in code points. */
export function cleanName(name: string): string {
  const trimmed = plainName(name).trim();
  if (streamNameKey(trimmed) === '') throw refused.because("Stream name can't be empty!");
  if (isLongerThan(trimmed, maxStreamNameLength)) {
    throw refused.because(`Stream name too long (limit: ${maxStreamNameLength} characters).`);
  }
  const invalid = invalidCharacterAt(trimmed);
  if (invalid >= 0) throw refused.because(`Invalid character in stream name, at position ${invalid + 1}!`);
  return trimmed;
}

export function cleanDescription(description: string): string {
  if (isLongerThan(description, maxStreamDescriptionLength)) {
    throw refused.because(`description is too long (limit: ${maxStreamDescriptionLength} characters)`);
  }
  return description.replaceAll('\n', ' ');
}

/** `#rrggbb`, in lower case. */
export function cleanColor(color: string): string {
  if (!/^#[\da-f]{6}$/i.test(color)) throw refused.because('color is not a valid hex color code');
  return color.toLowerCase();
}

const isLongerThan = (text: string, limit: number): boolean => text.length > limit && [...text].length > limit;
