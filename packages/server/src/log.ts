/** Takes one thing that happened, for the people who run the product. Never holds a password, a key or a token. */
export type Log = (event: Readonly<Record<string, unknown>>) => void;

/** One line of JSON per event on the standard error stream. */
export const logToStderr: Log = (event) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...event }, readable)}\n`);
};

/** A call as the log names it: without its query, where a password may stand. */
export function nameOfCall({ method, url }: { readonly method: string; readonly url: string }): string {
  return `${method} ${url.split('?', 1).join('')}`;
}

function readable(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
