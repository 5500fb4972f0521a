import type { ImportTable } from '@engawa/protocol/administration';
import { refused } from '../http/errors.ts';

export type Encoding = ImportTable['encoding'];

export interface DecodedText {
  readonly encoding: Encoding;
  /** Invalid bytes become U+FFFD. */
  readonly text: string;
}

export const unreadable = '\uFFFD';

/** Valid UTF-8 counts as UTF-8: Shift_JIS text is hardly ever valid. @throws RefusedError FILE_NOT_READABLE if not text. */
export function decodeFile(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  const encoding = chosen ?? encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // A null shows that the file is no text in this encoding: workbooks, pictures and UTF-16 contain many.
  if (text.includes('\0')) throw refused.fileNotReadable();
  return { encoding, text };
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (isValid(bytes, 'utf-8') || (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)) return 'utf-8';
  if (isValid(bytes, 'shift_jis')) return 'shift_jis';
  return unreadableIn(bytes, 'utf-8') < unreadableIn(bytes, 'shift_jis') ? 'utf-8' : 'shift_jis';
}

function isValid(bytes: Uint8Array, encoding: Encoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function unreadableIn(bytes: Uint8Array, encoding: Encoding): number {
  return new TextDecoder(encoding).decode(bytes).split(unreadable).length - 1;
}
