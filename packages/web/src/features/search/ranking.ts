import { findFolded, isWholeWord } from '@engawa/folding';
import type { Hit } from '../../model/timeline/search.ts';
import { textOf } from './excerpt.ts';

/** Whether each word occurs as a whole word, and not only inside other words (京都 in 東京都). */
export function isFoundWhole(hit: Pick<Hit, 'content' | 'dialect' | 'file' | 'topic'>, words: readonly string[]): boolean {
  const text = textOf(hit);
  return words.every((word) => {
    const ranges = findFolded(text, [word]);
    // A word that is found only in the topic counts as whole.
    return ranges.length === 0 || ranges.some((range) => isWholeWord(text, range));
  });
}
