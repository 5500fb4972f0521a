import type { Endpoint, ErrorCode, ParametersIn } from '@engawa/protocol';
import { type MemberName, type Person, type Target, type World, members } from './world.ts';

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly msg: (it: Target) => string;
}

/**
 * How a call is answered: `ok` as if the secret things were not there; `sees` with what is in them. `knows` shows the
 * secret stream's name alone, and `done` shows nothing, but to one who may know that it is there.
 */
export type Outcome = 'ok' | 'sees' | 'knows' | 'done' | Refusal;

/** One question to one call, and how it is answered to each member. */
export interface Row<E extends Endpoint> {
  readonly what: string;
  /** What a member asks about a target, which is the secret one or one that is not there. */
  readonly asks: (it: Target, me: Person, at: World) => ParametersIn<E>;
  readonly answers: ReadonlyMap<MemberName, Outcome>;
  /** Why the answer is not the one about a thing that is not there. */
  readonly differs?: string;
}

interface Meanings {
  /** What `no` stands for, and `rank`. */
  readonly no?: Refusal;
  readonly rank?: Refusal;
  readonly differs?: string;
}

/** @param columns how each member is answered, in one word each, in the order of `members`. */
export function row<E extends Endpoint>(
  columns: string,
  what: string,
  asks: Row<E>['asks'],
  { differs, ...refusals }: Meanings = {},
): Row<E> {
  const meanings: ReadonlyMap<string, Outcome> = new Map([
    ...(['ok', 'sees', 'knows', 'done'] as const).map((word): [string, Outcome] => [word, word]),
    ...Object.entries(refusals),
  ]);
  const words = columns.trim().split(/ +/);
  if (words.length !== members.length) throw new TypeError(`${what}: there are ${members.length} columns`);
  const answers = members.map((member, column): [MemberName, Outcome] => {
    const outcome = meanings.get(words[column] ?? '');
    if (!outcome) throw new TypeError(`${what}: ${words[column]} has no meaning`);
    return [member, outcome];
  });
  return { what, asks, answers: new Map(answers), ...(differs === undefined ? {} : { differs }) };
}

export function refusal(msg: string | ((it: Target) => string), code: ErrorCode = 'BAD_REQUEST', status = 400): Refusal {
  return { status, code, msg: typeof msg === 'string' ? () => msg : msg };
}
