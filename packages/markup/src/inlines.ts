import { atomAt, codeSpans } from './atoms.ts';
import { type CharacterTest, Source, type Work, isWordCharacter } from './source.ts';
import { type Inline, type Mark, inlineText } from './tree.ts';

export interface Marks {
  /** The marks for each run of one character, the outer mark first. A run that is not listed stays text. */
  readonly runs: Readonly<Record<string, readonly Mark[]>>;
  /** Whether a mark counts inside a word of ASCII letters and digits, such as `a_b`. */
  readonly withinWords: boolean;
}

/** Parses the inlines of a text without blocks. Each step reads the text only once, so that the work stays linear. */
export function parseInlines(text: string, marks: Marks, work: Work): Inline[] {
  const tokens = tokenise(new Source(text, work), marks);
  return build(tokens, pair(tokens), marks, 0, tokens.length);
}

type Token =
  | { readonly kind: 'atom'; readonly node: Inline }
  | { readonly kind: 'mark'; readonly text: string; readonly opens: boolean; readonly closes: boolean };

function tokenise(source: Source, marks: Marks): Token[] {
  const spans = codeSpans(source);
  const runs = new Map(
    Object.keys(marks.runs).map((run): [string, CharacterTest] => [run.charAt(0), (character) => character === run.charAt(0)]),
  );
  const tokens: Token[] = [];
  let textFrom = 0;
  let at = 0;
  const take = (token: Token, end: number) => {
    if (textFrom < at) tokens.push({ kind: 'atom', node: { kind: 'text', text: source.slice(textFrom, at) } });
    tokens.push(token);
    at = end;
    textFrom = at;
  };

  while (at < source.text.length) {
    const atom = atomAt(source, at, spans);
    const isInRun = runs.get(source.charAt(at));
    if (atom) take({ kind: 'atom', node: atom.node }, at + atom.length);
    else if (isInRun) {
      const end = source.runEnd(at, isInRun);
      const text = source.slice(at, end);
      if (text in marks.runs) take({ kind: 'mark', text, ...sides(source, at, end, marks) }, end);
      else at = end;
    } else at += 1;
  }
  if (textFrom < at) tokens.push({ kind: 'atom', node: { kind: 'text', text: source.slice(textFrom, at) } });
  return tokens;
}

function sides(source: Source, at: number, end: number, { withinWords }: Marks) {
  const [before, after] = [source.charAt(at - 1), source.charAt(end)];
  return {
    opens: (withinWords || !isWordCharacter(before)) && /\S/.test(after),
    closes: (withinWords || !isWordCharacter(after)) && /\S/.test(before),
  };
}

/**
 * Maps each opening token to its closing token. A pair is on one line, contains a letter, digit or emoji (so that the face
 * (*^_^*) stays text) and does not cross another pair. At most one of each mark is open, so nesting and work are bounded.
 */
function pair(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  let open: { readonly text: string; readonly index: number }[] = [];
  let lastReadable = -1;

  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'atom') {
      const text = inlineText(token.node);
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

function build(tokens: readonly Token[], pairs: ReadonlyMap<number, number>, marks: Marks, from: number, to: number): Inline[] {
  const nodes: Inline[] = [];
  const text = (more: string) => {
    const last = nodes.at(-1);
    if (last?.kind === 'text') nodes[nodes.length - 1] = { kind: 'text', text: last.text + more };
    else nodes.push({ kind: 'text', text: more });
  };

  for (let index = from; index < to; index += 1) {
    const token = tokens[index];
    if (!token) break;
    if (token.kind === 'atom') {
      if (token.node.kind === 'text') text(token.node.text);
      else nodes.push(token.node);
      continue;
    }
    const close = pairs.get(index);
    if (close === undefined) text(token.text);
    else {
      nodes.push(...wrapped(marks.runs[token.text] ?? [], build(tokens, pairs, marks, index + 1, close)));
      index = close;
    }
  }
  return nodes;
}

function wrapped(marks: readonly Mark[], children: readonly Inline[]): readonly Inline[] {
  return marks.reduceRight<readonly Inline[]>((inner, kind) => [{ kind, children: inner }], children);
}
