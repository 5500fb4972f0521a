const mostLines = 500;

const lines: string[] = [];
let next = 0;

/** Remembers the last lines of the log of this process, for the support bundle. */
export function remember(line: string): void {
  lines[next % mostLines] = line;
  next += 1;
}

/** From the oldest, without anything that could be content or a secret. */
export function recentLines(): string[] {
  const from = Math.max(0, next - mostLines);
  return Array.from({ length: next - from }, (_, index) => withoutContent(lines[(from + index) % mostLines] ?? ''));
}

/** Names of events, codes and methods, and the paths of calls, in which the log has already hidden names. */
const plain = /^[A-Za-z\d_/…:.+-]{0,200}$/u;

/** Texts other than plain words are replaced, because the message of an error may quote what could not be parsed. */
function withoutContent(line: string): string {
  return JSON.stringify(JSON.parse(line, (name, value: unknown) => (typeof value === 'string' ? shown(name, value) : value)));
}

function shown(name: string, text: string): string {
  if (name === 'stack') return framesOf(text);
  return name !== 'message' && plain.test(text) ? text : '…';
}

const frame = /^ {4}at [^\n]+$/;

function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => frame.test(line))
    .join('\n');
}
