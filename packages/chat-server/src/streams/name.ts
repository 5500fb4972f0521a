import { maxStreamDescriptionLength, maxStreamNameLength, streamNameKey } from '@engawa/protocol';
import { refused } from '../errors.ts';
import { invalidCharacterAt } from '../text/characters.ts';
import { plainName } from '../text/plainName.ts';

/** A stream's name as it is kept: without space around it, and without what nobody sees. Lengths are in code points. */
export function cleanName(name: string): string {
  const trimmed = plainName(name).trim();
  if (streamNameKey(trimmed) === '') throw refused.because("Stream name can't be empty!");
  if (isLongerThan(trimmed, maxStreamNameLength)) {
    throw refused.because(`Stream name too long (limit: ${maxStreamNameLength} characters).`);
  }
  const odd = invalidCharacterAt(trimmed);
  if (odd >= 0) throw refused.because(`Invalid character in stream name, at position ${odd + 1}!`);
  return trimmed;
}

/** A stream's description as it is kept: on one line. */
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
