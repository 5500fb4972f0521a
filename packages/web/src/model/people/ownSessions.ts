/** Calls about the sessions of the member. */
import { ownSessions, paths, type OwnSession } from '@engawa/protocol/product';
import { z } from 'zod';
import { askProduct, type AskingProduct } from '../connection/productCall.ts';

/** @throws as `askProduct`. */
export async function listSessions(asking: AskingProduct): Promise<readonly OwnSession[]> {
  const { answer } = await askProduct(asking, { method: 'GET', path: paths.sessions, answer: ownSessions });
  return answer.sessions;
}

/** @param id the session to end; undefined: all but this one. @throws as `askProduct`. */
export async function endSessions(asking: AskingProduct, id: string | undefined): Promise<undefined> {
  const path = id === undefined ? paths.sessions : `${paths.sessions}/${encodeURIComponent(id)}`;
  await askProduct(asking, { method: 'DELETE', path, answer: z.unknown() });
}
