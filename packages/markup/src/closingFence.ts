import { closingLine, type Fence } from './fences.ts';

/** The index of the closing line, or `lines.length`. */
export function closingFence(opened: Fence, lines: readonly string[], from: number): number {
  const isClosing = closingLine(opened);
  for (let at = from; at < lines.length; at += 1) {
    if (isClosing(lines[at] ?? '')) return at;
  }
  return lines.length;
}
