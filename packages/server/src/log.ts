/** Takes one thing that happened, for the people who run the product. Never holds a password, a key or a token. */
export type Log = (event: Readonly<Record<string, unknown>>) => void;

/** One line of JSON per event on the standard error stream. */
export const logToStderr: Log = (event) => {
  process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...event }, readable)}\n`);
};

function readable(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack, cause: value.cause };
}
