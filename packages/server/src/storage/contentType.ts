/** Bytes of a file's beginning that `contentTypeOf` looks at. */
export const headLength = 12;

const unknown = 'application/octet-stream';

const beginnings: readonly (readonly [type: string, beginning: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['application/pdf', '%PDF-'],
];

/**
 * What a file is by its content, never by what its name or sender says; a browser shows these types without running
 * anything that is written in them under our name.
 */
export function contentTypeOf(head: Uint8Array): string {
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  if (/^(avif|avis)$/.test(text.slice(8, 12)) && text.startsWith('ftyp', 4)) return 'image/avif';
  return beginnings.find(([, beginning]) => text.startsWith(beginning))?.[0] ?? unknown;
}
