import type { Range } from './find.ts';
import { fold } from './fold.ts';

/** The words of a query, folded, each once: what stands between blanks, or in "quotation marks" with its blanks. */
export function wordsOf(query: string): string[] {
  const words = [...query.toWellFormed().matchAll(/["“”＂]([^"“”＂]+)["“”＂]|[^\s"“”＂]+/g)];
  return [...new Set(words.map(([word, quoted]) => fold(quoted ?? word).trim()))].filter(Boolean);
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });

/** Whether a part of a text is one word or several: 京都 is in 京都支店, and is not in 東京都. */
export function isWholeWord(text: string, { start, end }: Range): boolean {
  const segments = segmenter.segment(text);
  const isEdge = (at: number) => at === text.length || segments.containing(at)?.index === at;
  return isEdge(start) && isEdge(end);
}
