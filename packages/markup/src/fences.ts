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

/** The index of the closing line, or `lines.length`. Quotes and spoilers may contain other fences, but code may not. */
export function closingFence(opened: Fence, lines: readonly string[], from: number): number {
  const open = [opened];
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const inner = open.at(-1) ?? opened;
    if (closes(inner, line)) {
      open.pop();
      if (open.length === 0) return at;
    } else if (inner.kind === 'quote' || inner.kind === 'spoiler') {
      const fence = openingFence(line);
      if (fence) open.push(fence);
    }
  }
  return lines.length;
}

/** A closing line has at least as many marks as the opening one, and nothing else. */
function closes({ marks }: Fence, line: string): boolean {
  const found = fenceMarks(line);
  return found !== undefined && found.startsWith(marks) && line.trim() === found;
}

function fenceMarks(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}
