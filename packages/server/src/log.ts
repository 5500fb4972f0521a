/** From what must be mended to what is only of interest while looking for a fault. */
export const logLevels = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Takes one thing that happened, for the people who run the product. Never holds a password, a key or a token.
 * `level`: how much it matters; without one it is always written.
 */
export type Log = (event: Readonly<Record<string, unknown>> & { readonly level?: LogLevel }) => void;

/** One line of JSON per event on the standard error stream. */
export const logToStderr: Log = ({ level, ...event }) => {
  const said = { time: new Date().toISOString(), level: level ?? ('error' in event ? 'error' : 'info'), ...event };
  if (lines.length === 0) setImmediate(write);
  lines.push(`${JSON.stringify(said, readable)}\n`);
};

/** Of this turn of the event loop: written together, because each write waits for whoever keeps the log. */
let lines: string[] = [];

function write(): void {
  if (lines.length === 0) return;
  process.stderr.write(lines.join(''));
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
