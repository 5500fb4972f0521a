export interface Fence {
  readonly marks: string;
  readonly kind: 'code' | 'math' | 'quote' | 'spoiler';
  /** The text after the marks: the language of code or the title of a spoiler. */
  readonly info: string;
}

const kinds: ReadonlyMap<string, Fence['kind']> = new Map([
  ...['math', 'tex', 'latex'].map((word) => [word, 'math'] as const),
  ...['quote', 'quoted'].map((word) => [word, 'quote'] as const),
  ['spoiler', 'spoiler'],
]);

/** The fence that a line opens. A line with further backticks opens none, because it is inline code. */
export function openingFence(line: string): Fence | undefined {
  const marks = fenceMarks(line);
  if (marks === undefined) return undefined;
  const info = line.trim().slice(marks.length).trim();
  if (info.includes('`')) return undefined;
  const [word = ''] = info.split(/\s/, 1);
  const kind = kinds.get(word.toLowerCase()) ?? 'code';
  return { marks, kind, info: kind === 'code' ? word : info.slice(word.length).trim() };
}

/** The fenced quote that begins at a line of the text, without its fences, and where it ends. It may end with the text. */
export function fencedQuoteAt(text: string, at: number): { readonly inside: string; readonly end: number } | undefined {
  if (at > 0 && text[at - 1] !== '\n') return undefined;
  const start = lineEnd(text, at) + 1;
  const fence = openingFence(text.slice(at, start - 1));
  if (fence?.kind !== 'quote') return undefined;
  const isClosing = closingLine(fence);
  for (let from = start; from <= text.length;) {
    const end = lineEnd(text, from);
    if (isClosing(text.slice(from, end))) return { inside: text.slice(start, Math.max(start, from - 1)), end };
    from = end + 1;
  }
  return { inside: text.slice(start), end: text.length };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Recognises the closing line among the lines after the opening one. Quotes and spoilers may contain other fences, but code may not. */
export function closingLine(opened: Fence): (line: string) => boolean {
  const open = [opened];
  return (line) => {
    const inner = open.at(-1) ?? opened;
    if (closes(inner, line)) open.pop();
    else if (inner.kind === 'quote' || inner.kind === 'spoiler') {
      const fence = openingFence(line);
      if (fence) open.push(fence);
    }
    return open.length === 0;
  };
}

/** A closing line has at least as many marks as the opening one, and nothing else. */
function closes({ marks }: Fence, line: string): boolean {
  const found = fenceMarks(line);
  return found !== undefined && found.startsWith(marks) && line.trim() === found;
}

function fenceMarks(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}
