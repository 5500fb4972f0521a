import type { ErrorCode } from '@engawa/protocol';
import type { Asked, Method } from './request.ts';
import { callers, type Caller } from './callers.ts';

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
}

/** How a call is answered: it is done (2xx or 3xx), or refused with this status and code. */
export type Outcome = 'ok' | Refusal;

/** One question to one call, and how it is answered to each. */
export interface Row<World> {
  readonly what: string;
  readonly asks: (it: World, caller: Caller) => Asked | Promise<Asked>;
  readonly answers: ReadonlyMap<Caller, Outcome>;
}

/** The rows of a call, by its method and the pattern of its address. */
export type Calls<World> = Partial<Readonly<Record<`${Method} ${string}`, readonly [Row<World>, ...Row<World>[]]>>>;

/** Nobody is known by the request. */
const who: Refusal = { status: 401, code: 'UNAUTHORIZED' };
const gone: Refusal = { status: 401, code: 'USER_DEACTIVATED' };

/**
 * @param columns how each of `callers` is answered, in one word each: `ok`, `who` for nobody who is known, `gone` for
 * one who is deactivated, and the words of `refusals`.
 */
export function row<World>(
  columns: string,
  what: string,
  asks: Row<World>['asks'],
  refusals: Readonly<Record<string, Refusal>> = {},
): Row<World> {
  const meanings = new Map<string, Outcome>(Object.entries({ ok: 'ok', who, gone, ...refusals }));
  const words = columns.trim().split(/ +/);
  if (words.length !== callers.length) throw new TypeError(`${what}: there are ${callers.length} columns`);
  const answers = callers.map((caller, column): [Caller, Outcome] => {
    const outcome = meanings.get(words[column] ?? '');
    if (!outcome) throw new TypeError(`${what}: ${words[column]} has no meaning`);
    return [caller, outcome];
  });
  return { what, asks, answers: new Map(answers) };
}
