/** The parsers of both dialects. Apart from the index, so that a browser loads Zulip's only with the first message in it. */
import type { Dialect } from './dialect.ts';
import { parseEngawaParagraphs } from './parseEngawa.ts';
import { parseZulip } from './parseZulip.ts';
import type { Block } from './tree.ts';

export { foreignMarkdown, plainSource } from './plainSource.ts';
export { parseZulip };

export function parseMarkup(text: string, dialect: Dialect): Block[] {
  return dialect === 'engawa' ? parseEngawaParagraphs(text) : parseZulip(text);
}
