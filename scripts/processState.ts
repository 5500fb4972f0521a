/** What all that runs in a process shares, by its name; to be compared later. */
export function processState(): ReadonlyMap<string, unknown> {
  const globals = Object.entries(Object.getOwnPropertyDescriptors(globalThis))
    // What vitest and the packages keep there for themselves changes with every file.
    .filter(([name]) => !/vitest|^__|^console$/i.test(name))
    .map(([name, { value, get }]): [string, unknown] => [`globalThis.${name}`, get ?? value]);
  const environment = Object.entries(process.env).map(([name, value]): [string, unknown] => [`process.env.${name}`, value]);
  return new Map<string, unknown>([
    ...globals,
    ...environment,
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask()],
    ['process.exitCode', process.exitCode],
    ['process.stdout.write', process.stdout.write],
    ['process.stderr.write', process.stderr.write],
  ]);
}

/** The names of what is not as it was. */
export function changesBetween(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.has(name) !== after.has(name) || !Object.is(before.get(name), after.get(name)),
  );
}
