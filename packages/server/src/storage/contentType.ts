export const headLength = 12;

const unknown = 'application/octet-stream';

const beginnings: readonly (readonly [type: string, beginning: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
  ['application/pdf', '%PDF-'],
];

/** Detects the type by content, never by name or sender. Browsers show these types without running anything in them. */
export function contentTypeOf(head: Uint8Array): string {
  const text = Buffer.from(head).toString('latin1');
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'image/webp';
  if (/^(avif|avis)$/.test(text.slice(8, 12)) && text.startsWith('ftyp', 4)) return 'image/avif';
  return beginnings.find(([, beginning]) => text.startsWith(beginning))?.[0] ?? unknown;
}
