export interface Fence {
  /** Three or more backticks or tildes. */
  readonly marks: string;
  readonly kind: 'code' | 'math' | 'quote' | 'spoiler';
  /** The language of code, the title of a spoiler. */
  readonly info: string;
}

const kinds: ReadonlyMap<string, Fence['kind']> = new Map([
  ['math', 'math'],
  ['tex', 'math'],
  ['latex', 'math'],
  ['quote', 'quote'],
  ['quoted', 'quote'],
  ['spoiler', 'spoiler'],
]);

/** The fence that a line opens. Backticks after it make it code within a line, which is no block. */
export function openingFence(line: string): Fence | undefined {
  const marks = fenceIn(line);
  if (marks === undefined) return undefined;
  const info = line.trim().slice(marks.length).trim();
  if (info.includes('`')) return undefined;
  const [word = ''] = info.split(/\s/, 1);
  const kind = kinds.get(word.toLowerCase()) ?? 'code';
  return { marks, kind, info: kind === 'code' ? word : info.slice(word.length).trim() };
}

/**
 * The line that closes a fence, `lines.length` when none does. What a quote or a spoiler holds may have fences of its
 * own; code has none.
 */
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

/** As many marks as opened it, or more, and nothing else. */
function closes({ marks }: Fence, line: string): boolean {
  const found = fenceIn(line);
  return found !== undefined && found.startsWith(marks) && line.trim() === found;
}

/** The marks that a line begins with, if they are enough for a fence. */
function fenceIn(line: string): string | undefined {
  return /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
}
