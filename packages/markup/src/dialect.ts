import { parseEngawaParagraphs } from './parseEngawa.ts';
import { parseZulip } from './parseZulip.ts';
import type { Block } from './tree.ts';

/** How a message's text is meant: `*x*` is bold to ours and emphasis to all other clients. */
export type Dialect = 'engawa' | 'zulip';

/** The name by which our own clients go: what a message's `client` begins with. */
export const ownClient = 'Engawa';

/** By the client that a message was written with. The text itself is never asked. */
export function dialectOf(client: string): Dialect {
  return client.startsWith(ownClient) ? 'engawa' : 'zulip';
}

/** A message's text in blocks, a paragraph for each that a blank line ends. */
export function parseMarkup(text: string, dialect: Dialect): Block[] {
  return dialect === 'engawa' ? parseEngawaParagraphs(text) : parseZulip(text);
}
