import type { QuotingBlock } from '@engawa/markup';
import { blocksOf, hasZulipMarkup, type MessageText } from '../../../model/timeline/messageText.ts';

const mostKept = 400;
/** Characters (UTF-16). Longer texts are rare and would fill the memory. */
const longestKept = 2000;

const kept = new Map<string, readonly QuotingBlock[]>();

export function parsed(message: MessageText): readonly QuotingBlock[] {
  const key = `${message.dialect} ${message.content}`;
  const known = kept.get(key);
  if (known) return known;
  const blocks = blocksOf(message);
  const isProvisional = message.dialect === 'zulip' && !hasZulipMarkup();
  if (isProvisional || message.content.length > longestKept) return blocks;
  kept.set(key, blocks);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return blocks;
}
