import { type Range, findFolded } from '@engawa/folding';
import { type Html, all, element, inline, text } from './htmlElement.ts';

/** Marks words as highlighted, even if they cross inline elements. @param words as returned by `wordsOf`. */
export function highlighted(html: Html, words: readonly string[]): Html {
  if (words.length === 0) return html;
  const marked = new Map(runsIn(html).flatMap((run) => markedIn(run, words)));
  return marked.size === 0 ? html : withMarked(html, marked);
}

interface Leaf {
  readonly html: Html;
  readonly text: string;
}

/** A run is a sequence of text leaves without a block element in between. */
function runsIn(html: Html): Leaf[][] {
  let run: Leaf[] = [];
  const runs = [run];
  const begin = () => runs.push((run = []));
  const walk = (node: Html): void => {
    if (node.kind === 'text') run.push({ html: node, text: node.text });
    else if (node.kind === 'all') node.parts.forEach(walk);
    else if (node.attributes.role === 'img') run.push({ html: node, text: textIn(node) });
    else if (inline.has(node.tag)) node.content.forEach(walk);
    else {
      begin();
      node.content.forEach(walk);
      begin();
    }
  };
  walk(html);
  return runs;
}

function textIn(html: Html): string {
  if (html.kind === 'text') return html.text;
  return (html.kind === 'all' ? html.parts : html.content).map(textIn).join('');
}

/** Pairs each leaf with its replacement. One pass is enough, because leaves and ranges are both in ascending order. */
function markedIn(run: readonly Leaf[], words: readonly string[]): [Html, Html][] {
  const ranges = findFolded(run.map((leaf) => leaf.text).join(''), words);
  const marked: [Html, Html][] = [];
  let start = 0;
  let next = 0;
  for (const leaf of run) {
    if (next === ranges.length) break;
    if (leaf.text === '') continue;
    const { inside, left } = partsIn(ranges, next, start, leaf.text.length);
    const { html } = leaf;
    if (inside.length > 0) marked.push([html, html.kind === 'text' ? markedText(leaf.text, inside) : mark(html)]);
    start += leaf.text.length;
    next = left;
  }
  return marked;
}

/** Returns the ranges within `length` units from `start` on, and the index of the first range that ends later. */
function partsIn(ranges: readonly Range[], first: number, start: number, length: number) {
  const inside: Range[] = [];
  let left = first;
  for (let range = ranges[left]; range && range.start < start + length; range = ranges[left]) {
    inside.push({ start: Math.max(range.start - start, 0), end: Math.min(range.end - start, length) });
    if (range.end > start + length) break;
    left += 1;
  }
  return { inside, left };
}

function markedText(typed: string, ranges: readonly Range[]): Html {
  let last = 0;
  const parts = ranges.flatMap(({ start, end }) => {
    const before = text(typed.slice(last, start));
    last = end;
    return [before, mark(text(typed.slice(start, end)))];
  });
  return all([...parts, text(typed.slice(last))]);
}

const mark = (html: Html): Html => element('span', { class: 'highlight' }, html);

function withMarked(html: Html, marked: ReadonlyMap<Html, Html>): Html {
  const other = marked.get(html);
  if (other || html.kind === 'text') return other ?? html;
  const inside = (each: Html) => withMarked(each, marked);
  return html.kind === 'all' ? { ...html, parts: html.parts.map(inside) } : { ...html, content: html.content.map(inside) };
}
