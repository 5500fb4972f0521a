/**
 * The text of a file message is marker, original name, stored name and size in bytes, joined by commas. The original name
 * may contain commas, so the text is parsed from both ends.
 */
export const fileMarker = 'engawa-file';

/** 20 characters of `storedNameAlphabet` and the original extension, if any. */
export const storedNamePattern = /^[a-z0-9]{20}(\.[^\p{Cc}\s./\\,]{1,20})?$/u;

export const storedNameAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
export const storedNameLength = 20;

export interface FileMessage {
  readonly name: string;
  readonly storedName: string;
  /** Bytes. */
  readonly size: number;
}

export function composeFileMessage({ name, storedName, size }: FileMessage): string {
  return [fileMarker, name, storedName, String(size)].join(',');
}

/** The path of a file without its stored name. A member may download the file if they may read a message with it. */
export const storagePath = '/api/storage/temp/';

export function parseFileMessage(content: string): FileMessage | undefined {
  const parts = content.split(',');
  if (parts.length < 4 || parts[0] !== fileMarker) return undefined;
  const size = parts.at(-1) ?? '';
  const storedName = parts.at(-2) ?? '';
  const name = parts.slice(1, -2).join(',');
  if (name === '' || /[\n\r]/.test(name)) return undefined;
  if (!/^\d{1,15}$/.test(size) || !storedNamePattern.test(storedName)) return undefined;
  return { name, storedName, size: Number(size) };
}

/** The extension for the stored name, with its dot; empty when the name has no usable extension. */
export function extensionOf(name: string): string {
  const extension = /\.[^\p{Cc}\s./\\,]{1,20}$/u.exec(name.normalize('NFC'))?.[0] ?? '';
  return extension === name ? '' : extension;
}

/** Line ends and direction marks, which can disguise a name: `gpj.exe` after U+202E is shown as `exe.jpg`. */
const disguises = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Emoji with joiners, keycaps, flags of tags, and kanji with their variation selector, which are kept; or an invisible character. */
const sequencesOrInvisible =
  /(\p{ExtPict}[\ufe0e\ufe0f\p{EMod}]*(?:\u200d\p{ExtPict}[\ufe0f\p{EMod}]*)*(?:[\u{e0020}-\u{e007e}]+\u{e007f})?|[\d#*]\ufe0f|\p{Ideo}[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])|\p{DI}/gu;

/**
 * Composes characters, which macOS sends decomposed, replaces disguising ones by `_`, and drops invisible ones, which could
 * imitate another name. A second call changes nothing.
 */
export function sanitizeFileName(name: string): string {
  return name.toWellFormed().replace(disguises, '_').replace(sequencesOrInvisible, '$1').normalize('NFC').trim();
}
