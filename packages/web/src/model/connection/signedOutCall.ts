/** Calls of the product's API by pages without a signed-in member. */
import { ApiError, exchange, readReply, systemClock, type Clock, type Fetch } from '@engawa/client';
import type { z } from 'zod/mini';
import { failureOf, type Failure } from './failure.ts';

export type Answer<Said> = { readonly said: Said } | { readonly failure: Failure };

/** @param body is sent as JSON; without one the call is a GET. */
export type Ask = <Said>(path: string, schema: z.ZodMiniType<Said>, body?: object) => Promise<Answer<Said>>;

const timeoutMilliseconds = 30_000;

export function askingBy({ fetch, clock = systemClock }: { readonly fetch: Fetch; readonly clock?: Clock }): Ask {
  return async (url, schema, body) => {
    const method = body ? 'POST' : 'GET';
    const init = {
      method,
      credentials: 'same-origin',
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    } as const;
    try {
      const reply = await exchange({ call: `${method} ${url}`, url, init, fetch, clock, timeoutMilliseconds });
      const { data } = schema.safeParse(readReply(reply));
      return data === undefined ? { failure: { kind: 'malformed' } } : { said: data };
    } catch (error) {
      return { failure: failureToEnter(error) };
    }
  };
}

/** A 401 here means a wrong name or password: there is no session that could have ended. */
function failureToEnter(error: unknown): Failure {
  const failure = failureOf(error);
  if (failure.kind !== 'signed-out' || !(error instanceof ApiError)) return failure;
  return { kind: 'refused', code: error.code, message: error.message };
}
