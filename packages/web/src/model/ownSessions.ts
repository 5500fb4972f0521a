/** Where the member is signed in, and ending it there: asked of the product. */
import { exchange, MalformedAnswerError, readReply, type Connection, type Reply } from '@engawa/client';
import { ownSessions, paths, type OwnSession } from '@engawa/protocol/product';
import type { Parts } from './parts.ts';

const timeoutMilliseconds = 30_000;

export interface AskingProduct {
  readonly connection: Connection;
  readonly parts: Pick<Parts, 'site' | 'fetch' | 'clock'>;
  readonly stop: AbortSignal;
}

/** @throws CallError, as a call of the chat API does; the signal's reason when it was given up. */
export async function listSessions(asking: AskingProduct): Promise<readonly OwnSession[]> {
  const reply = await askAsMember(asking, 'GET', paths.sessions);
  const answer = ownSessions.safeParse(readReply(reply, asking.parts.clock));
  if (answer.success) return answer.data.sessions;
  throw new MalformedAnswerError(reply.status, `GET ${paths.sessions}: the answer lists no sessions`, answer.error);
}

/** @param id of the one to end; undefined: all but the one that asks. @throws as `listSessions`. */
export async function endSessions(asking: AskingProduct, id: string | undefined): Promise<undefined> {
  const path = id === undefined ? paths.sessions : `${paths.sessions}/${encodeURIComponent(id)}`;
  readReply(await askAsMember(asking, 'DELETE', path), asking.parts.clock);
}

/** @throws NetworkError, TimeoutError; the signal's reason when it was given up. */
export function askAsMember(
  { connection, parts, stop }: AskingProduct,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
): Promise<Reply> {
  const { site, fetch, clock } = parts;
  const json = body && { body: JSON.stringify(body) };
  const headers = { ...connection.headers, ...(body && { 'Content-Type': 'application/json' }) };
  const init = { method, credentials: 'same-origin', headers, ...json } as const;
  return exchange({ call: `${method} ${path}`, url: site + path, init, fetch, clock, timeoutMilliseconds, signal: stop });
}
