import { maxMessageLength, truncationNotice } from './limits.ts';

/** Cuts a text that is too long, as every server does. */
export function cutContent(content: string): string {
  // The limit counts code points. A text never has more of them than UTF-16 units, so a short text needs no counting.
  if (content.length <= maxMessageLength) return content;
  const characters = [...content];
  if (characters.length <= maxMessageLength) return content;
  return characters.slice(0, maxMessageLength - truncationNotice.length).join('') + truncationNotice;
}

/** Whether a server may have stored the sent text as the other one: it removes space at both ends and cuts long texts. */
export function isStoredAs(sent: string, stored: string): boolean {
  return cutContent(sent.replace(/^(?:[ \t]*\n)+/, '').trimEnd()).trim() === stored.trim();
}
