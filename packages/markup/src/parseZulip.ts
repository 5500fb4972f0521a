import { closingFence } from './closingFence.ts';
import { type Fence, openingFence } from './fences.ts';
import { type Marks, parseInlines } from './inlines.ts';
import { type ListItems, listAt } from './lists.ts';
import type { Work } from './source.ts';
import { type Table, tableAt } from './tables.ts';
import { type Block, headingLevels, maxDepth } from './tree.ts';

const marks: Marks = {
  runs: { '*': ['emphasis'], '**': ['strong'], '***': ['strong', 'emphasis'], '~~': ['strike'] },
  withinWords: true,
};

/** The Markdown of Zulip's clients: https://zulip.com/help/format-your-message-using-markdown */
export function parseZulip(text: string, work: Work = { charactersRead: 0 }): Block[] {
  return new Parser(work).blocks(text.split('\n'), 0);
}

interface ParsedBlock {
  readonly block: Block;
  readonly next: number;
}

class Parser {
  readonly #work: Work;
  constructor(work: Work) {
    this.#work = work;
  }

  blocks(lines: readonly string[], depth: number): Block[] {
    for (const line of lines) this.#work.charactersRead += line.length + 1;
    const blocks: Block[] = [];
    let paragraph: string[] = [];
    const endParagraph = () => {
      if (paragraph.length > 0) blocks.push({ kind: 'paragraph', children: this.#inlines(paragraph.join('\n')) });
      paragraph = [];
    };

    for (let at = 0; at < lines.length;) {
      const line = lines[at] ?? '';
      const parsed = this.#blockAt(lines, at, line, depth);
      if (parsed || line.trim() === '') endParagraph();
      else paragraph.push(line.trimEnd());
      if (parsed) blocks.push(parsed.block);
      at = parsed?.next ?? at + 1;
    }
    endParagraph();
    return blocks;
  }

  #blockAt(lines: readonly string[], at: number, line: string, depth: number): ParsedBlock | undefined {
    const fence = openingFence(line);
    if (fence) return this.#fenced(fence, lines, at, depth);
    const oneLine = this.#heading(line) ?? ruleIn(line);
    if (oneLine) return { block: oneLine, next: at + 1 };
    const table = tableAt(lines, at);
    if (table) return this.#table(table);
    if (depth >= maxDepth) return undefined;
    if (isQuoted(line)) return this.#quoted(lines, at, depth);
    const list = listAt(lines, at);
    return list && this.#list(list, depth);
  }

  #fenced(fence: Fence, lines: readonly string[], at: number, depth: number): ParsedBlock {
    const close = closingFence(fence, lines, at + 1);
    return { block: this.#insideFence(fence, lines.slice(at + 1, close), depth), next: close + 1 };
  }

  #insideFence({ kind, info }: Fence, inside: readonly string[], depth: number): Block {
    const text = inside.join('\n');
    if (kind === 'math') return { kind: 'math-block', text };
    if (kind === 'code') return { kind: 'code-block', language: info, text };
    if (depth >= maxDepth) return { kind: 'code-block', language: '', text };
    const children = this.blocks(inside, depth + 1);
    return kind === 'quote' ? { kind, children } : { kind, title: this.#inlines(info), children };
  }

  #quoted(lines: readonly string[], at: number, depth: number): ParsedBlock {
    let next = at;
    while (isQuoted(lines[next] ?? '')) next += 1;
    const inside = lines.slice(at, next).map((line) => line.replace(/^ {0,3}> ?/, ''));
    return { block: { kind: 'quote', children: this.blocks(inside, depth + 1) }, next };
  }

  #list({ start, items, next }: ListItems, depth: number): ParsedBlock {
    return { block: { kind: 'list', start, items: items.map((lines) => this.blocks(lines, depth + 1)) }, next };
  }

  #table({ head, rows, next }: Table): ParsedBlock {
    const cells = (row: readonly string[]) => row.map((cell) => this.#inlines(cell));
    return { block: { kind: 'table', head: cells(head), rows: rows.map(cells) }, next };
  }

  #heading(line: string): Block | undefined {
    const [, marks = '', title = ''] = /^(#{1,6}) +(\S.*)$/.exec(line) ?? [];
    const level = headingLevels[marks.length - 1];
    return level && { kind: 'heading', level, children: this.#inlines(title.trimEnd()) };
  }

  #inlines(text: string) {
    return parseInlines(text, marks, this.#work);
  }
}

const isQuoted = (line: string): boolean => /^ {0,3}>/.test(line);

function ruleIn(line: string): Block | undefined {
  return /^ {0,3}([-*_])(?: *\1){2,} *$/.test(line) ? { kind: 'rule' } : undefined;
}
