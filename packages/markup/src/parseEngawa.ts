import { type Marks, parseInlines } from './inlines.ts';
import type { Work } from './source.ts';
import type { CodeBlock, Paragraph } from './tree.ts';

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
 * The light formatting of our own messages (R5.3): `*bold*` and `**bold**`, `_italic_`, `~strike~`, `°underline°`,
 * `` `code` ``, fenced code, and links. It is written for Japanese text, where no space stands between words: a mark
 * counts where no ASCII letter or digit touches its outer side, so `これは*太字*です` is bold while `10~12時`, `25°` and
 * `a_b.txt` are text. Of what other clients write, mentions and the like are known; their blocks stay as typed.
 * A paragraph keeps its blank lines.
 */
export function parseEngawa(text: string, work: Work = { looked: 0 }): (Paragraph | CodeBlock)[] {
  return parse(text, (inside) => [inside], work);
}

/** The same with a paragraph for each that a blank line ends. */
export function parseEngawaParagraphs(text: string, work: Work = { looked: 0 }): (Paragraph | CodeBlock)[] {
  return parse(text, partedByBlankLines, work);
}

function parse(text: string, paragraphsIn: (text: string) => readonly string[], work: Work): (Paragraph | CodeBlock)[] {
  const blocks: (Paragraph | CodeBlock)[] = [];
  const paragraphs = (inside: string) => {
    for (const each of paragraphsIn(inside)) {
      if (each !== '') blocks.push({ kind: 'paragraph', children: parseInlines(each, marks, work) });
    }
  };

  let from = 0;
  for (;;) {
    const open = text.indexOf(fence, from);
    const close = open < 0 ? -1 : text.indexOf(fence, open + fence.length);
    work.looked += (close < 0 ? text.length : close) - from;
    const block = close < 0 ? undefined : fencedCode(text.slice(open + fence.length, close));
    if (!block) break;
    paragraphs(text.slice(from, open).replace(/\n$/, ''));
    blocks.push(block);
    from = close + fence.length;
    if (text[from] === '\n') from += 1;
  }
  paragraphs(text.slice(from));
  return blocks;
}

function partedByBlankLines(text: string): string[] {
  const parts = text.split(/\n(?:[^\S\n]*\n)+/).filter((part) => part.trim() !== '');
  return parts.map((part) => part.replace(/^\n/, '').replace(/\n$/, ''));
}

/** What stands between fences, without the line ends beside them. */
function fencedCode(inside: string): CodeBlock | undefined {
  const opening = /^([\w+#.-]*)[^\S\n]*\n/.exec(inside);
  const text = inside.slice(opening?.[0].length ?? 0).replace(/\n$/, '');
  return text.trim() === '' ? undefined : { kind: 'code-block', language: opening?.[1] ?? '', text };
}
