import type { ErrorCode } from '@engawa/protocol';
import type { CallRequest, Method } from './request.ts';
import { callers, type Caller } from './callers.ts';

/** A call succeeds (2xx or 3xx), or is refused with this status and code. */
type Outcome = 'ok' | { readonly status: number; readonly code: ErrorCode };

/** The words in the columns of the permission tables, with the outcome that each means. */
const outcomes = new Map<string, Outcome>([
  ['ok', 'ok'],
  ['who', { status: 401, code: 'UNAUTHORIZED' }],
  ['gone', { status: 401, code: 'USER_DEACTIVATED' }],
  ['wrong', { status: 401, code: 'AUTHENTICATION_FAILED' }],
  ['rank', { status: 403, code: 'UNAUTHORIZED_PRINCIPAL' }],
  ['own', { status: 400, code: 'UNAUTHORIZED_PRINCIPAL' }],
  ['none', { status: 404, code: 'NOT_FOUND' }],
  ['dead', { status: 404, code: 'LINK_NOT_VALID' }],
  ['taken', { status: 409, code: 'BAD_REQUEST' }],
  ['email', { status: 400, code: 'BAD_REQUEST' }],
  ['fixed', { status: 400, code: 'BAD_REQUEST' }],
  ['addr', { status: 400, code: 'ADDRESS_NOT_ALLOWED' }],
  ['left', { status: 400, code: 'USER_DEACTIVATED' }],
  ['done', { status: 409, code: 'SETUP_DONE' }],
  ['exist', { status: 409, code: 'CALL_EXISTS' }],
  ['apart', { status: 410, code: 'NOT_IN_CALL' }],
  ['old', { status: 409, code: 'ORGANISATION_CHANGED' }],
]);

/** One request and its outcome for each caller. */
export interface Row<World> {
  readonly what: string;
  readonly request: (world: World, caller: Caller) => CallRequest | Promise<CallRequest>;
  readonly outcomes: ReadonlyMap<Caller, Outcome>;
}

/** The rows of a call, by its method and the pattern of its address. */
export type Calls<World> = Partial<Readonly<Record<`${Method} ${string}`, readonly [Row<World>, ...Row<World>[]]>>>;

/** @param columns one word of `outcomes` for each of `callers`. */
export function row<World>(columns: string, what: string, request: Row<World>['request']): Row<World> {
  const words = columns.trim().split(/ +/);
  if (words.length !== callers.length) throw new TypeError(`${what}: there are ${callers.length} columns`);
  const byCaller = callers.map((caller, column): [Caller, Outcome] => {
    const outcome = outcomes.get(words[column] ?? '');
    if (!outcome) throw new TypeError(`${what}: ${words[column]} has no meaning`);
    return [caller, outcome];
  });
  return { what, request, outcomes: new Map(byCaller) };
}
