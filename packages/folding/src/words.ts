import type { Range } from './find.ts';
import { fold } from './fold.ts';

/** The distinct folded words of a query. Text in "quotation marks" is one word with its spaces. */
export function wordsOf(query: string): string[] {
  const words = [...query.toWellFormed().matchAll(/["“”＂]([^"“”＂]+)["“”＂]|[^\s"“”＂]+/g)];
  return [...new Set(words.map(([word, quoted]) => fold(quoted ?? word).trim()))].filter(Boolean);
}

/** Created on demand, because it reads the browser's dictionary. */
let segmenter: Intl.Segmenter | undefined;

/** Whether a range of a text is made of whole words: 京都 is a word in 京都支店, but not in 東京都. */
export function isWholeWord(text: string, { start, end }: Range): boolean {
  segmenter ??= new Intl.Segmenter('ja', { granularity: 'word' });
  const segments = segmenter.segment(text);
  const isEdge = (at: number) => at === text.length || segments.containing(at)?.index === at;
  return isEdge(start) && isEdge(end);
}
