/**
 * A file message is text: marker, original name, stored name and size in bytes, joined by commas.
 * The original name may hold commas itself, so the text is read from both ends.
 */
export const fileMarker = 'engawa-file';

/** 20 characters of a fixed lower-case and digit alphabet, and the original extension (which may be missing). */
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

/** Below it, by its stored name, a file can be fetched by those who may read a message that it was sent in. */
export const storagePath = '/api/storage/temp/';

/** The file that a text names, or undefined when it is ordinary text. */
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

/** The extension of a file's name with its dot, as the stored name carries it; empty when there is none to carry. */
export function extensionOf(name: string): string {
  const extension = /\.[^\p{Cc}\s./\\,]{1,20}$/u.exec(name.normalize('NFC'))?.[0] ?? '';
  return extension === name ? '' : extension;
}
