import { remember } from './recent.ts';

export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** An event never contains a password, a key or a token. Events without a `level` are always written. */
export type Log = (event: Readonly<Record<string, unknown>> & { readonly level?: LogLevel }) => void;

export const logToStderr: Log = (event) => {
  if (lines.length === 0) setImmediate(write);
  const line = lineOf(event);
  remember(line);
  lines.push(line);
};

function lineOf(event: Parameters<Log>[0]): string {
  const said = { time: new Date().toISOString(), level: 'error' in event ? 'error' : 'info', ...event };
  // Without a function that examines each value, this is several times as fast, and most events contain only plain values.
  const isPlain = Object.values(event).every((value) => typeof value !== 'object' || value === null);
  return `${isPlain ? JSON.stringify(said) : JSON.stringify(said, readable)}\n`;
}

/** Written together once per turn of the event loop, because each write waits for the reader of the log. */
let lines: string[] = [];
let lost = 0;

function write(): void {
  if (lines.length === 0) return;
  const { length } = lines;
  // Begins a new line, because the last lost line may have been written in part.
  if (lost > 0) lines.unshift('\n', lineOf({ level: 'warn', event: 'log_lines_lost', lines: lost }));
  process.stderr.write(lines.join(''), 'utf8', (error) => {
    lost = error ? lost + length : 0;
  });
  lines = [];
}

process.once('exit', write);

export function logAbove(least: LogLevel, log: Log = logToStderr): Log {
  return (event) => {
    if (event.level === undefined || logLevels.indexOf(event.level) <= logLevels.indexOf(least)) log(event);
  };
}

/** Without the query, which may contain a password. */
export function nameOfCall({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${plainPath(url)}`;
}

/**
 * Path segments that the log may contain: names of calls, which are in lower case, and numbers. Others could be tokens or file
 * names. One token in thirty has only letters.
 */
const plainText = String.raw`(?:[a-z][a-z_]{0,29}|\d{1,15}|v1)`;
const plainSegment = new RegExp(`^${plainText}?$`);
/** The first one is empty. */
const mostSegments = 12;
/** The path of most calls, of which the log contains all segments. */
const plainUrl = new RegExp(`^(?:/${plainText}){1,${mostSegments - 1}}$`);

export function plainPath(url: string): string {
  if (plainUrl.test(url)) return url;
  const segments = url.split('?', 1).join('').split('/');
  return segments
    .slice(0, mostSegments)
    .map((segment) => (plainSegment.test(segment) ? segment : '…'))
    .join('/');
}

function readable(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
