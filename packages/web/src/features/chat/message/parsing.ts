import { type EngawaBlock, parseEngawa } from '@engawa/markup';

const mostKept = 400;
/** Characters (UTF-16). Longer texts are rare and would fill the memory. */
const longestKept = 2000;

const kept = new Map<string, readonly EngawaBlock[]>();

export function parsed(source: string): readonly EngawaBlock[] {
  const known = kept.get(source);
  if (known) return known;
  const blocks = parseEngawa(source);
  if (source.length > longestKept) return blocks;
  kept.set(source, blocks);
  const [oldest] = kept.keys();
  if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
  return blocks;
}
