import type { Endpoint, ErrorCode, ParametersIn } from '@engawa/protocol';
import { type MemberName, type Person, type Target, type TestServer, members } from './testServer.ts';

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly msg: (it: Target) => string;
}

/**
 * The answer to a call: `ok` shows no secret target, `sees` shows its content, `knows` shows only the name of the
 * secret stream, and `done` shows nothing, but only members who may know the target get it.
 */
export type Outcome = 'ok' | 'sees' | 'knows' | 'done' | Refusal;

export interface Row<E extends Endpoint> {
  readonly title: string;
  /** The parameters for a target, which is either secret or missing. */
  readonly parameters: (it: Target, me: Person, at: TestServer) => ParametersIn<E>;
  readonly answers: ReadonlyMap<MemberName, Outcome>;
  /** Why the answer may differ from the one for a missing target. Without a reason they must be equal. */
  readonly differs?: string;
}

/**
 * @param columns one word for each of `members`, in their order.
 * @param no the refusal for `no`, and `rank` for `rank`.
 */
export function row<E extends Endpoint>(
  columns: string,
  title: string,
  parameters: Row<E>['parameters'],
  no?: Refusal,
  rank?: Refusal,
): Row<E> {
  const outcomes = new Map<string, Outcome | undefined>([
    ...(['ok', 'sees', 'knows', 'done'] as const).map((word): [string, Outcome] => [word, word]),
    ['no', no],
    ['rank', rank],
  ]);
  const words = columns.trim().split(/ +/);
  if (words.length !== members.length) throw new TypeError(`${title}: there are ${members.length} columns`);
  const answers = members.map((member, column): [MemberName, Outcome] => {
    const outcome = outcomes.get(words[column] ?? '');
    if (!outcome) throw new TypeError(`${title}: ${words[column]} has no meaning`);
    return [member, outcome];
  });
  return { title, parameters, answers: new Map(answers) };
}

export function refusal(msg: string | ((it: Target) => string), code: ErrorCode = 'BAD_REQUEST', status = 400): Refusal {
  return { status, code, msg: typeof msg === 'string' ? () => msg : msg };
}

export function differing<E extends Endpoint>(differs: string, listed: Row<E>): Row<E> {
  return { ...listed, differs };
}

export function including<Base extends object, More extends object>(
  base: (it: Target, me: Person, at: TestServer) => Base,
  more: More,
): (it: Target, me: Person, at: TestServer) => Base & More {
  return (...call) => ({ ...base(...call), ...more });
}
