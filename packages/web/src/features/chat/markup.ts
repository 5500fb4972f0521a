/**
 * The light formatting of messages (R5.3): `*bold*` and `**bold**`, `_italic_`, `~strike~`, `°underline°`,
 * `` `code` ``, fenced code, and links. It is written for Japanese text, where no space stands between words: a mark
 * counts where no ASCII letter or digit touches its outer side, so `これは*太字*です` is bold while `10~12時`, `25°` and
 * `a_b.txt` are text. The result is a tree; nothing of a message is ever read as HTML. Every step reads the text once.
 */

export type Mark = 'bold' | 'italic' | 'strike' | 'underline';

export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: Mark; readonly children: readonly Inline[] };

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'code-block'; readonly text: string };

const fence = '```';

const markOf: Readonly<Record<string, Mark>> = {
  '*': 'bold',
  '**': 'bold',
  _: 'italic',
  '~': 'strike',
  '°': 'underline',
};

export function parseMarkup(source: string): Block[] {
  const blocks: Block[] = [];
  const paragraph = (text: string) => {
    if (text !== '') blocks.push({ kind: 'paragraph', children: parseInline(text) });
  };

  let from = 0;
  for (;;) {
    const open = source.indexOf(fence, from);
    const close = open < 0 ? -1 : source.indexOf(fence, open + fence.length);
    if (close < 0) break;
    const code = fencedCode(source.slice(open + fence.length, close));
    if (code === undefined) break;
    paragraph(source.slice(from, open).replace(/\n$/, ''));
    blocks.push({ kind: 'code-block', text: code });
    from = close + fence.length;
    if (source[from] === '\n') from += 1;
  }
  paragraph(source.slice(from));
  return blocks;
}

/** What stands between fences, without the name of its language and the line ends beside the fences. */
function fencedCode(inside: string): string | undefined {
  const code = inside.replace(/^[\w+#.-]*[^\S\n]*\n/, '').replace(/\n$/, '');
  return code.trim() === '' ? undefined : code;
}

/** The text as it reads without its marks, for previews and announcements. */
export function plainText(source: string): string {
  const ofInline = (node: Inline): string => {
    if (node.kind === 'link') return node.href;
    return 'children' in node ? node.children.map(ofInline).join('') : node.text;
  };
  return parseMarkup(source)
    .map((block) => (block.kind === 'code-block' ? block.text : block.children.map(ofInline).join('')))
    .join('\n');
}

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly href: string }
  | { readonly kind: 'mark'; readonly text: string; readonly opens: boolean; readonly closes: boolean };

function parseInline(source: string): Inline[] {
  const tokens = tokenise(source);
  return build(tokens, pair(tokens), 0, tokens.length);
}

function tokenise(source: string): Token[] {
  const tokens: Token[] = [];
  let textFrom = 0;
  let at = 0;
  const take = (token: Token, length: number) => {
    if (textFrom < at) tokens.push({ kind: 'text', text: source.slice(textFrom, at) });
    tokens.push(token);
    at += length;
    textFrom = at;
  };

  while (at < source.length) {
    const code = codeAt(source, at);
    const url = urlAt(source, at);
    if (code !== undefined) take({ kind: 'code', text: code }, code.length + 2);
    else if (url) {
      if (url.href === undefined) at += url.length;
      else take({ kind: 'link', href: url.href }, url.length);
    } else {
      const run = markRunAt(source, at);
      if (run === '') at += 1;
      else if (run in markOf) take({ kind: 'mark', text: run, ...sides(source, at, run.length) }, run.length);
      else at += run.length;
    }
  }
  if (textFrom < at) tokens.push({ kind: 'text', text: source.slice(textFrom) });
  return tokens;
}

function codeAt(source: string, at: number): string | undefined {
  if (source[at] !== '`') return undefined;
  const close = source.indexOf('`', at + 1);
  const code = source.slice(at + 1, close);
  return close < 0 || code.trim() === '' || code.includes('\n') ? undefined : code;
}

function markRunAt(source: string, at: number): string {
  const mark = source.charAt(at);
  if (!(mark in markOf)) return '';
  let end = at + 1;
  while (source[end] === mark) end += 1;
  return source.slice(at, end);
}

function sides(source: string, at: number, length: number): { readonly opens: boolean; readonly closes: boolean } {
  const before = source.charAt(at - 1);
  const after = source.charAt(at + length);
  return {
    opens: !/[A-Za-z0-9]/.test(before) && /\S/.test(after),
    closes: !/[A-Za-z0-9]/.test(after) && /\S/.test(before),
  };
}

/**
 * Which mark closes which. A pair stays on its line, holds something to read (so that a face like (*^_^*) stays one)
 * and does not cross another pair. No more than one of each mark is open at a time, so nesting and work stay bounded.
 */
function pair(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  let open: { readonly text: string; readonly index: number }[] = [];
  let lastReadable = -1;

  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'mark') {
      const text = token.kind === 'link' ? token.href : token.text;
      if (text.includes('\n')) open = [];
      if (/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text.slice(text.lastIndexOf('\n') + 1))) lastReadable = index;
      continue;
    }
    const opener = token.closes ? open.findLastIndex(({ text }) => text === token.text) : -1;
    const opened = open[opener];
    if (opened && lastReadable > opened.index) {
      pairs.set(opened.index, index);
      open = open.slice(0, opener);
    } else if (token.opens) {
      open = [...open.filter(({ text }) => text !== token.text), { text: token.text, index }];
    }
  }
  return pairs;
}

function build(tokens: readonly Token[], pairs: ReadonlyMap<number, number>, from: number, to: number): Inline[] {
  const nodes: Inline[] = [];
  const text = (more: string) => {
    const last = nodes.at(-1);
    if (last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + more };
    else nodes.push({ kind: 'text', text: more });
  };

  for (let index = from; index < to; index += 1) {
    const token = tokens[index];
    if (!token) break;
    if (token.kind === 'mark') {
      const close = pairs.get(index);
      const kind = markOf[token.text];
      if (close === undefined || !kind) text(token.text);
      else {
        nodes.push({ kind, children: build(tokens, pairs, index + 1, close) });
        index = close;
      }
    } else if (token.kind === 'text') text(token.text);
    else nodes.push(token);
  }
  return nodes;
}

/** Up to a space, or to the brackets, quotation marks and punctuation of Japanese text. */
const urlPattern = /https?:\/\/[^\s<>"`、。，．・！？：；…‥「」『』（）【】〔〕［］｛｝〈〉《》“”‘’～]+/iuy;

/**
 * A link that begins here: its address and length. Without an address it is text that looks like one, to be passed over
 * whole, so that no part of it is tried again.
 */
function urlAt(source: string, at: number): { readonly href: string | undefined; readonly length: number } | undefined {
  if (source[at]?.toLowerCase() !== 'h' || /[A-Za-z0-9]/.test(source.charAt(at - 1))) return undefined;
  urlPattern.lastIndex = at;
  const found = urlPattern.exec(source)?.[0];
  if (found === undefined) return undefined;
  const href = withoutTail(withoutParticle(found));
  return URL.canParse(href) ? { href, length: href.length } : { href: undefined, length: found.length };
}

/**
 * Japanese goes on without a space after an address: https://example.com/を見て. Hiragana right after an ASCII letter or
 * digit, or after the first slash of the path, is the sentence again. Deeper it may begin a name, as in /wiki/のり, but
 * を begins none. A host written in ASCII ends where ASCII ends.
 */
function withoutParticle(found: string): string {
  const host = /^https?:\/\/(?:[A-Za-z0-9.-]+(?::\d+)?(?=[^\x21-\x7e])|[^/?#]*)/iu.exec(found)?.[0] ?? '';
  const rest = found.slice(host.length);
  if (/^[^/?#]/.test(rest)) return host;
  const sentence = /(?<=[A-Za-z0-9])\p{sc=Hiragana}|(?<=^\/)\p{sc=Hiragana}|(?<=[/=#])を/u.exec(rest);
  return host + (sentence ? rest.slice(0, sentence.index) : rest);
}

/** Without the punctuation of the sentence around it, and without a bracket that it did not open. */
function withoutTail(found: string): string {
  let end = found.length;
  let unopened = count(found, ')') - count(found, '(');
  for (;;) {
    const last = found.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!/[.,;:!?*_~°']/.test(last)) return found.slice(0, end);
    end -= 1;
  }
}

function count(text: string, letter: string): number {
  return text.split(letter).length - 1;
}
