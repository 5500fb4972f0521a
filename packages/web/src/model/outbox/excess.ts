import { maxMessageLength } from '@engawa/protocol';

/** The length of a text that is too long to send, else undefined. Counts code points only in long texts, because a text
 * never has more of them than UTF-16 units. */
export function excessOf(text: string): number | undefined {
  if (text.length <= maxMessageLength) return undefined;
  const length = [...text].length;
  return length > maxMessageLength ? length : undefined;
}
