/** Where the member is signed in, and ending it there: asked of the product. */
import { ownSessions, paths, type OwnSession } from '@engawa/protocol/product';
import { z } from 'zod';
import { askProduct, type AskingProduct } from '../connection/productCall.ts';

/** @throws as `askProduct`. */
export async function listSessions(asking: AskingProduct): Promise<readonly OwnSession[]> {
  const { answer } = await askProduct(asking, { method: 'GET', path: paths.sessions, answer: ownSessions });
  return answer.sessions;
}

/** @param id of the one to end; undefined: all but the one that asks. @throws as `askProduct`. */
export async function endSessions(asking: AskingProduct, id: string | undefined): Promise<undefined> {
  const path = id === undefined ? paths.sessions : `${paths.sessions}/${encodeURIComponent(id)}`;
  await askProduct(asking, { method: 'DELETE', path, answer: z.unknown() });
}
