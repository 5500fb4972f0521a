import type { ParseArgsConfig } from 'node:util';
import { Failure } from '../log/failure.ts';

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (line: string) => void;
  readonly warn: (line: string) => void;
}

/** 0: success; 1: failure, or problems were found; 2: wrong usage. */
export type ExitCode = 0 | 1 | 2;

export interface CommandArguments {
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
}

export interface Command {
  readonly name: string;
  readonly form: string;
  readonly summary: { readonly ja: string; readonly en: string };
  readonly options: Readonly<Record<string, { readonly type: 'string' | 'boolean'; readonly ja: string; readonly en: string }>>;
  readonly words: { readonly least: number; readonly most: number };
  readonly notes: readonly string[];
  run(given: CommandArguments, terminal: Terminal): Promise<ExitCode>;
}

export class UsageError extends Failure {
  override readonly name = 'UsageError';
}

export function parseOptionsOf(command: Command): NonNullable<ParseArgsConfig['options']> {
  const own = Object.entries(command.options).map(([name, { type }]) => [name, { type }] as const);
  return { ...Object.fromEntries(own), help: { type: 'boolean', short: 'h' } };
}

export function textOption({ options }: CommandArguments, name: string): string {
  const value = options[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new UsageError(`--${name} を指定してください。`, `--${name} is missing.`);
}

export function wordAt({ words }: CommandArguments, index: number): string {
  const word = words[index];
  if (word === undefined) throw new RangeError(`a command takes fewer words than ${index + 1}`);
  return word;
}
