import { findFolded, graphemesOf } from '@engawa/folding';
import { plainTextOf } from '../../model/timeline/messageText.ts';
import type { Hit } from '../../model/timeline/search.ts';

export interface Part {
  readonly at: number;
  readonly text: string;
  readonly found: boolean;
}

/** Characters (UTF-16) that are shown before the first match, and in all. */
const before = 24;
export const longest = 160;

const cut = { text: '…', found: false } as const;
const cutBefore: Part = { ...cut, at: -1 };

export function textOf(hit: Pick<Hit, 'content' | 'dialect' | 'file'>, plainText = plainTextOf): string {
  return hit.file ? hit.file.name : plainText(hit);
}

/** The part of a text around the first match, in one line, split into matches and other text. */
export function excerptOf(text: string, words: readonly string[]): readonly Part[] {
  const line = text.replace(/\s+/g, ' ').trim();
  const ranges = findFolded(line, words);
  const first = ranges[0]?.start ?? 0;
  const from = line.length <= longest || first <= before ? 0 : edge(line, first - before);
  const to = line.length - from <= longest ? line.length : edge(line, from + longest);

  const parts: Part[] = [];
  const put = (start: number, end: number, found: boolean) => {
    if (start < end) parts.push({ at: start, text: line.slice(start, end), found });
  };
  let last = from;
  for (const range of ranges.filter(({ start }) => start < to)) {
    const end = Math.min(range.end, to);
    put(last, range.start, false);
    put(range.start, end, true);
    last = end;
  }
  put(last, to, false);
  return [...(from > 0 ? [cutBefore] : []), ...parts, ...(to < line.length ? [{ ...cut, at: to }] : [])];
}

function edge(text: string, at: number): number {
  return graphemesOf(text).containing(at)?.index ?? text.length;
}
