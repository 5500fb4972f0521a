import { fold } from '@engawa/folding';

/** Whether every word of the query is somewhere in the texts. */
export function matches(query: string, ...texts: readonly string[]): boolean {
  const folded = texts.map(fold);
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.some((text) => text.includes(word)));
}
