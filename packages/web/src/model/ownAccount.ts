/** The member's own password, and the keys of their programs: asked of the product. */
import { isApiError, MalformedAnswerError, readReply } from '@engawa/client';
import { accountPaths, apiKeys, type ApiKey } from '@engawa/protocol/accounts';
import { askAsMember, type AskingProduct } from './ownSessions.ts';
import type { Failure } from './view.ts';

/** @throws CallError, as a call of the chat API does; the signal's reason when it was given up. */
export async function listKeys(asking: AskingProduct): Promise<readonly ApiKey[]> {
  const reply = await askAsMember(asking, 'GET', accountPaths.keys);
  const answer = apiKeys.safeParse(readReply(reply, asking.parts.clock));
  if (answer.success) return answer.data.keys;
  throw new MalformedAnswerError(reply.status, `GET ${accountPaths.keys}: the answer lists no keys`, answer.error);
}

/** @param id of the one to end; undefined: all. @throws as `listKeys`. */
export async function endKeys(asking: AskingProduct, id: number | undefined): Promise<undefined> {
  const path = id === undefined ? accountPaths.keys : `${accountPaths.keys}/${id}`;
  readReply(await askAsMember(asking, 'DELETE', path), asking.parts.clock);
}

/** Answers that `current` is wrong, by which nobody is signed out. @throws as `listKeys`, by whatever else is wrong. */
export async function changePassword(
  asking: AskingProduct,
  current: string,
  password: string,
): Promise<Failure | undefined> {
  const reply = await askAsMember(asking, 'POST', accountPaths.password, { current, password });
  try {
    readReply(reply, asking.parts.clock);
    return undefined;
  } catch (error) {
    if (!isApiError(error, 'AUTHENTICATION_FAILED')) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}
