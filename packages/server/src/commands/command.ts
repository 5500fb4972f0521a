import type { ParseArgsConfig } from 'node:util';

/** Where a command runs. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What was asked for, a line at a time. */
  readonly say: (line: string) => void;
  /** What the person at the terminal should know beside it. */
  readonly warn: (line: string) => void;
}

/** How a command ended. 0: done; 1: it could not be done, or problems were found; 2: it was not asked for rightly. */
export type ExitCode = 0 | 1 | 2;

/** The words that were given: those with a name, and the others in their order. */
export interface Given {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
}

export interface Command {
  /** As it is called: one word, or two. */
  readonly name: string;
  /** What follows the name, for the help. */
  readonly form: string;
  readonly summary: { readonly ja: string; readonly en: string };
  /** Each with what it does, in both languages. */
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly ja: string; readonly en: string }>>;
  /** How many words it takes beside the options. */
  readonly words: { readonly least: number; readonly most: number };
  /** What else is worth knowing, in lines. */
  readonly notes: readonly string[];
  run(given: Given, terminal: Terminal): Promise<ExitCode>;
}

/** What was typed is none of the forms of the command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(ja: string, en: string) {
    super(`${ja} / ${en}`);
  }
}

export function parseOptionsOf(command: Command): NonNullable<ParseArgsConfig['options']> {
  const own = Object.entries(command.options).map(([name, { type }]) => [name, { type }] as const);
  return { ...Object.fromEntries(own), help: { type: 'boolean', short: 'h' } };
}

/** @throws UsageError where it is not given. */
export function textOption({ options }: Given, name: string): string {
  const value = options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`--${name} を指定してください。`, `--${name} is missing.`);
}

/** The word in this place; `run` is called with as many as the command takes. */
export function wordAt({ words }: Given, index: number): string {
  const word = words[index];
  if (word === undefined) throw new RangeError(`a command takes fewer words than ${index + 1}`);
  return word;
}
