import { type QuotingBlock, parseEngawa, quoteCards } from '@engawa/markup';
import { isMessageAddress } from '../../../model/streams/address.ts';

const mostKept = 400;
/** Characters (UTF-16). Longer texts are rare and would fill the memory. */
const longestKept = 2000;

const kept = new Map<string, readonly QuotingBlock[]>();

export function parsed(source: string): readonly QuotingBlock[] {
  const known = kept.get(source);
  if (known) return known;
  const blocks = quoteCards(parseEngawa(source), isMessageAddress);
  if (source.length > longestKept) return blocks;
  kept.set(source, blocks);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return blocks;
}
