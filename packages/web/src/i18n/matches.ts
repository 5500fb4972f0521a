import { fold } from '@engawa/folding';

export function matches(query: string, ...texts: readonly string[]): boolean {
  const folded = texts.map(fold);
  return fold(query)
    .split(/\s+/)
    .every((word) => folded.some((text) => text.includes(word)));
}
