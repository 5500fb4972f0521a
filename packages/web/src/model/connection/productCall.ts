/** Calls of the product's API as the signed-in member, without retries. See `signedOutCall.ts` for pages without a member. */
import { exchange, MalformedAnswerError, readReply, type Connection } from '@engawa/client';
import type { z } from 'zod/mini';
import type { Environment } from '../environment.ts';

export interface ProductCall<Answer> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** A file and a form are sent unchanged, everything else as JSON. */
  readonly body?: Blob | object;
  readonly answer: z.ZodMiniType<Answer>;
  readonly timeoutMilliseconds?: number;
}

export interface ProductCallDependencies {
  readonly connection: Connection;
  readonly environment: Pick<Environment, 'site' | 'fetch' | 'clock'>;
  readonly stop: AbortSignal;
}

const usualTimeoutMilliseconds = 30_000;

/** @throws CallError as calls of the chat API do; the signal's reason if it is aborted. */
export async function askProduct<Answer>(
  { connection, environment: { site, fetch, clock }, stop }: ProductCallDependencies,
  { method, path, body, answer, timeoutMilliseconds = usualTimeoutMilliseconds }: ProductCall<Answer>,
): Promise<{ readonly answer: Answer }> {
  const call = `${method} ${path}`;
  const { headers } = connection;
  const init = { method, credentials: 'same-origin', ...written(body, headers) } as const;
  const reply = await exchange({ call, url: site + path, init, fetch, clock, timeoutMilliseconds, signal: stop });
  const parsed = answer.safeParse(readReply(reply, clock));
  if (parsed.success) return { answer: parsed.data };
  throw new MalformedAnswerError(reply.status, `${call}: the answer is not of its form`, parsed.error);
}

function written(body: Blob | object | undefined, headers: Connection['headers']): Pick<RequestInit, 'body' | 'headers'> {
  if (body === undefined) return { headers };
  if (body instanceof FormData) return { headers, body };
  if (body instanceof Blob) return { body, headers: { ...headers, 'content-type': 'application/octet-stream' } };
  return { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
}
