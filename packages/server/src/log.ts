/** From what must be mended to what is only of interest while looking for a fault. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Takes one thing that happened, for the people who run the product. Never holds a password, a key or a token.
 * `level`: how much it matters; without one it is always written.
 */
export type Log = (event: Readonly<Record<string, unknown>> & { readonly level?: LogLevel }) => void;

/** One line of JSON per event on the standard error stream. */
export const logToStderr: Log = (event) => {
  if (lines.length === 0) setImmediate(write);
  lines.push(lineOf(event));
};

function lineOf({ level, ...event }: Parameters<Log>[0]): string {
  const said = { time: new Date().toISOString(), level: level ?? ('error' in event ? 'error' : 'info'), ...event };
  return `${JSON.stringify(said, readable)}\n`;
}

/** Of this turn of the event loop: written together, because each write waits for whoever keeps the log. */
let lines: string[] = [];
/** How many were not written, as on a full disk, since it was said last that some were not. */
let lost = 0;

function write(): void {
  if (lines.length === 0) return;
  const { length } = lines;
  // On a line of its own: the last that was lost may have been cut off within.
  if (lost > 0) lines.unshift('\n', lineOf({ level: 'warn', event: 'log_lines_lost', lines: lost }));
  process.stderr.write(lines.join(''), 'utf8', (error) => {
    lost = error ? lost + length : 0;
  });
  lines = [];
}

process.once('exit', write);

/** The same for those who want to hear of nothing that matters less. */
export function logAbove(least: LogLevel, log: Log = logToStderr): Log {
  return (event) => {
    if (event.level === undefined || logLevels.indexOf(event.level) <= logLevels.indexOf(least)) log(event);
  };
}

/** A call as the log names it: without its query, where a password may stand. */
export function nameOfCall({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${url.split('?', 1).join('')}`;
}

function readable(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
