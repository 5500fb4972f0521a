import { type EngawaBlock, parseEngawa } from '@engawa/markup';

/** So many texts stay parsed: those of the streams that somebody goes to and fro between. */
const mostKept = 400;
/** Characters (UTF-16). Longer ones are few, and would fill the memory. */
const longestKept = 2000;

const kept = new Map<string, readonly EngawaBlock[]>();

/** A stream that is opened again shows the same texts. */
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
