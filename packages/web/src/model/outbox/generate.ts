import { extensionOf, storedNameAlphabet } from '@engawa/protocol';
import { nameLength } from '../constants.ts';

/**
 * A UUID of version 7 (RFC 9562), which begins with the time, so that the server stores ids of one time next to each other.
 * @param now Unix milliseconds.
 */
export function generateKey(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // A UUID has its variant in the two highest bits of a digit.
  const variant = ((Number.parseInt(hex.charAt(0), 16) & 0b0011) | 0b1000).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(1, 4)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}

/** R9.3: returns 20 random lower-case letters and digits, followed by the extension of the file name. */
export function generateStoredName(fileName: string): string {
  const { length } = storedNameAlphabet;
  // Larger bytes are not used, because they would make the first characters of the alphabet likelier.
  const fair = 256 - (256 % length);
  let name = '';
  while (name.length < nameLength) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < fair) name += storedNameAlphabet.charAt(byte % length);
  }
  return name + extensionOf(fileName);
}
