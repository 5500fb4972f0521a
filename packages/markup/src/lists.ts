import { openingFence } from './fences.ts';

export interface ListItems {
  /** The first number of a numbered list. Undefined for bullets. */
  readonly start: number | undefined;
  readonly items: readonly (readonly string[])[];
  readonly next: number;
}

interface Item {
  readonly indent: number;
  readonly number: number | undefined;
  readonly text: string;
}

const step = 2;

export function listAt(lines: readonly string[], at: number): ListItems | undefined {
  const first = itemIn(lines[at] ?? '');
  if (!first || first.indent > 3) return undefined;
  const items: string[][] = [];
  let next = at;
  while (next < lines.length) {
    const line = lines[next] ?? '';
    if (line.trim() === '') {
      const after = nextNonBlank(lines, next);
      if (!continues(first, lines[after])) break;
      for (; next < after; next += 1) items.at(-1)?.push('');
      continue;
    }
    const item = itemIn(line);
    if (item && isSibling(first, item)) items.push([item.text]);
    else if (indentOf(line) >= first.indent + step) items.at(-1)?.push(line.slice(first.indent + step));
    else if (!item && !beginsBlock(line) && lines[next - 1]?.trim() !== '') items.at(-1)?.push(line.trimStart());
    else break;
    next += 1;
  }
  return { start: first.number, items, next };
}

function itemIn(line: string): Item | undefined {
  const [, spaces = '', mark, text = ''] = /^( *)([-*+]|\d{1,9}\.) +(\S.*)$/.exec(line) ?? [];
  if (mark === undefined) return undefined;
  return { indent: spaces.length, number: mark.endsWith('.') ? Number.parseInt(mark, 10) : undefined, text };
}

function isSibling(first: Item, item: Item): boolean {
  const sameKind = (item.number === undefined) === (first.number === undefined);
  return sameKind && Math.abs(item.indent - first.indent) < step;
}

function continues(first: Item, line: string | undefined): boolean {
  if (line === undefined) return false;
  const item = itemIn(line);
  return (item !== undefined && isSibling(first, item)) || indentOf(line) >= first.indent + step;
}

function beginsBlock(line: string): boolean {
  return openingFence(line) !== undefined || /^ {0,3}(?:>|#{1,6} )/.test(line);
}

function nextNonBlank(lines: readonly string[], at: number): number {
  let next = at;
  while (lines[next]?.trim() === '') next += 1;
  return next;
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
