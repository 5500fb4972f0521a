import type { ImportTable } from '@engawa/protocol/administration';
import { refused } from '../http/errors.ts';

export type Encoding = ImportTable['encoding'];

export interface DecodedText {
  readonly encoding: Encoding;
  /** Bytes that nothing stands for are U+FFFD, each at its place. */
  readonly text: string;
}

export const unreadable = '\uFFFD';

/**
 * A spreadsheet's text. Which encoding it has is told by a byte order mark, or by whether it is valid: hardly a
 * sentence in Shift_JIS is valid UTF-8. Where neither holds, it is the one in which fewer characters are unreadable.
 * @param chosen by a person who sees that it was told wrongly.
 * @throws RefusedError FILE_NOT_READABLE when it is no text: a workbook, a picture.
 */
export function decodeFile(bytes: Uint8Array, chosen?: Encoding): DecodedText {
  const encoding = chosen ?? encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // No table has one; a workbook (.xlsx), a picture, and UTF-16 taken for anything else have many.
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
