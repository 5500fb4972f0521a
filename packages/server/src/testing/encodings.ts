import type { Encoding } from '../import/encoding.ts';

/** The bytes of each character in Windows' Shift_JIS, derived from the decoder. */
const shiftJisBytes = bytesOfEachCharacter();

export function encoded(text: string, encoding: Encoding, mark = false): Uint8Array {
  const marked = mark ? `\uFEFF${text}` : text;
  if (encoding === 'utf-8') return new TextEncoder().encode(marked);
  return encoding === 'utf-16le' ? Buffer.from(marked, 'utf16le') : shiftJis(text);
}

/** @throws Error for a character outside Shift_JIS. */
export function shiftJis(text: string): Uint8Array {
  return Uint8Array.from(
    [...text].flatMap((character) => {
      const bytes = shiftJisBytes.get(character);
      if (!bytes) throw new Error(`'${character}' is not in Shift_JIS`);
      return bytes;
    }),
  );
}

export const isInShiftJis = (character: string): boolean => shiftJisBytes.has(character);

function bytesOfEachCharacter(): ReadonlyMap<string, readonly number[]> {
  const read = new TextDecoder('shift_jis');
  const found = new Map<string, readonly number[]>();
  const note = (...bytes: number[]) => {
    const [character = '', ...others] = read.decode(Uint8Array.from(bytes));
    if (character !== '\uFFFD' && others.length === 0 && !found.has(character)) found.set(character, bytes);
  };
  for (let byte = 0; byte <= 0xff; byte += 1) note(byte);
  for (let lead = 0x81; lead <= 0xfc; lead += 1) {
    if (lead >= 0xa0 && lead <= 0xdf) continue;
    for (let trail = 0x40; trail <= 0xfc; trail += 1) note(lead, trail);
  }
  return found;
}
