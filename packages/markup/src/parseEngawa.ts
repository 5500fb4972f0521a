import { fencedQuoteAt } from './fences.ts';
import { type Marks, parseInlines } from './inlines.ts';
import type { Work } from './source.ts';
import { type CodeBlock, type EngawaBlock, maxDepth } from './tree.ts';

const marks: Marks = {
  runs: {
    '*': ['strong'],
    '**': ['strong'],
    '***': ['strong', 'emphasis'],
    _: ['emphasis'],
    '~': ['strike'],
    '~~': ['strike'],
    '°': ['underline'],
  },
  withinWords: false,
};

const fence = '```';

/**
 * Parses the formatting of Engawa's clients (requirement R5.3): `*bold*` and `**bold**`, `_italic_`, `~strike~`, `°underline°`,
 * `` `code` ``, fenced code, links, and quotes: lines after `> `, and the fenced quotes of Zulip. Japanese has no spaces between
 * words, so a mark counts unless an ASCII letter or digit touches its outer side: `これは*太字*です` is bold, while `10~12時`, `25°`
 * and `a_b.txt` are text. Mentions and other inlines of Zulip are parsed; Zulip's other blocks stay text. A paragraph keeps its
 * blank lines.
 */
export function parseEngawa(text: string, work: Work = { charactersRead: 0 }): EngawaBlock[] {
  return new Parser((inside) => [inside], work).blocks(text, 0);
}

/** Like `parseEngawa`, but a blank line ends a paragraph. */
export function parseEngawaParagraphs(text: string, work: Work = { charactersRead: 0 }): EngawaBlock[] {
  return new Parser(splitAtBlankLines, work).blocks(text, 0);
}

class Parser {
  readonly #splitParagraphs: (text: string) => readonly string[];
  readonly #work: Work;

  constructor(splitParagraphs: (text: string) => readonly string[], work: Work) {
    this.#splitParagraphs = splitParagraphs;
    this.#work = work;
  }

  /** The block that begins first counts: code may contain lines that look like quotes, and quotes may contain code. */
  blocks(text: string, depth: number): EngawaBlock[] {
    const blocks: EngawaBlock[] = [];
    let from = 0;
    let open = this.#fenceFrom(text, from);
    let quoted = depth < maxDepth ? this.#quoteFrom(text, from) : -1;
    for (;;) {
      if (quoted >= 0 && (open < 0 || quoted < open)) {
        blocks.push(...this.#paragraphs(text.slice(from, quoted).replace(/\n$/, '')));
        from = this.#quoteEnd(text, quoted);
        blocks.push(...this.#quote(text.slice(quoted, from).replace(/\n$/, ''), depth));
      } else if (open >= 0) {
        const fenced = this.#fenced(text, open, depth);
        if (!fenced) {
          open = -1;
          continue;
        }
        blocks.push(...this.#paragraphs(text.slice(from, open).replace(/\n$/, '')), fenced.block);
        from = fenced.end;
      } else break;
      // Skips the line end after a fence, or the blank line that ends a quote.
      if (text[from] === '\n') from += 1;
      if (open >= 0 && open < from) open = this.#fenceFrom(text, from);
      if (quoted >= 0 && quoted < from) quoted = this.#quoteFrom(text, from);
    }
    blocks.push(...this.#paragraphs(text.slice(from)));
    return blocks;
  }

  #fenced(text: string, open: number, depth: number): { readonly block: EngawaBlock; readonly end: number } | undefined {
    const quote = depth < maxDepth ? fencedQuoteAt(text, open) : undefined;
    this.#work.charactersRead += quote ? quote.end - open : 0;
    if (quote && quote.inside.trim() !== '') {
      return { block: { kind: 'quote', children: this.blocks(quote.inside, depth + 1) }, end: quote.end };
    }
    const close = this.#fenceFrom(text, open + fence.length);
    const block = close < 0 ? undefined : fencedCode(text.slice(open + fence.length, close));
    return block && { block, end: close + fence.length };
  }

  #quote(lines: string, depth: number): EngawaBlock[] {
    const inside = lines.replaceAll(quoteMark, '');
    if (inside.trim() === '') return this.#paragraphs(lines);
    return [{ kind: 'quote', children: this.blocks(inside, depth + 1) }];
  }

  #paragraphs(inside: string): EngawaBlock[] {
    const parts = this.#splitParagraphs(inside).filter((part) => part !== '');
    return parts.map((part) => ({ kind: 'paragraph', children: parseInlines(part, marks, this.#work) }));
  }

  #fenceFrom(text: string, from: number): number {
    const at = text.indexOf(fence, from);
    this.#work.charactersRead += (at < 0 ? text.length : at) - from;
    return at;
  }

  #quoteFrom(text: string, from: number): number {
    quoteMark.lastIndex = from;
    const at = quoteMark.exec(text)?.index ?? -1;
    this.#work.charactersRead += (at < 0 ? text.length : at) - from;
    return at;
  }

  #quoteEnd(text: string, from: number): number {
    quotedLines.lastIndex = from;
    const [lines = ''] = quotedLines.exec(text) ?? [];
    this.#work.charactersRead += lines.length;
    return from + lines.length;
  }
}

/** `>` at the start of a line, followed by a space or the line end; `>>12` and `>_<` are text. */
const quoteMark = /(?<![^\n])>(?!\S)[^\S\n]?/g;
const quotedLines = /(?:>(?!\S)[^\n]*(?:\n|$))+/y;

function splitAtBlankLines(text: string): string[] {
  const parts = text.split(/\n(?:[^\S\n]*\n)+/).filter((part) => part.trim() !== '');
  return parts.map((part) => part.replace(/^\n/, '').replace(/\n$/, ''));
}

function fencedCode(inside: string): CodeBlock | undefined {
  const opening = /^([\w+#.-]*)[^\S\n]*\n/.exec(inside);
  const text = inside.slice(opening?.[0].length ?? 0).replace(/\n$/, '');
  return text.trim() === '' ? undefined : { kind: 'code-block', language: opening?.[1] ?? '', text };
}
