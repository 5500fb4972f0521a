import { parseZulip } from './parseZulip.ts';
import type { Block, Inline } from './tree.ts';

/**
 * Writes text of another program for Zulip's parser, which reads only text, bare addresses, code, lists and rules in it. Markdown of
 * Zulip has no escapes, so the marks of any other markup become wide characters.
 */
export function plainSource(text: string): string {
  if (!marks.test(text) || parseZulip(text).every(isPlain)) return text;
  return text
    .split(/(https?:\/\/[\w./?&=%+-]+)/i)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(allMarks, wide)))
    .join('');
}

const marks = /[*~`$[\]<>@#:|]/;
const allMarks = new RegExp(marks, 'g');

const wide = (mark: string): string => String.fromCharCode(mark.charCodeAt(0) + 0xfee0);

function isPlain(block: Block): boolean {
  if (block.kind === 'list') return block.items.every((item) => item.every(isPlain));
  return block.kind === 'rule' || (block.kind === 'paragraph' && block.children.every(isPlainInline));
}

function isPlainInline(node: Inline): boolean {
  return node.kind === 'text' || node.kind === 'code' || (node.kind === 'link' && node.label === node.href);
}

/** U+2060: it is invisible, and no line ends at it. */
const joiner = '\u2060';

/** The marks of a picture, but not the `!` of code such as `![1, 2].includes(a)`. A label may contain brackets. */
const picture = /(?<!!)!+(?=\[(?:[^[\]]|\[[^[\]]*\])*\]\()/g;

/**
 * Writes Markdown of another program for Zulip's parser: it mentions nobody, links to no stream and to no path of this server, and its
 * pictures are links.
 */
export function foreignMarkdown(text: string): string {
  return text
    .replaceAll(/([@#]_?)(?=\*)/g, `$1${joiner}`)
    .replaceAll(picture, '')
    .replaceAll(/\](?=\(\/)/g, `]${joiner}`);
}
