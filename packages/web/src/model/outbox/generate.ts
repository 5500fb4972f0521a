import { extensionOf, storedNameAlphabet } from '@engawa/protocol';
import { nameLength } from '../constants.ts';

/** A UUID of version 4. `crypto.randomUUID` is missing on insecure origins, where the product runs too. */
export function generateKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // A UUID has its version in one digit and its variant in the two highest bits of another.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b0011) | 0b1000).toString(16);
  const [time, low] = [hex.slice(0, 8), hex.slice(8, 12)];
  return `${time}-${low}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
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
