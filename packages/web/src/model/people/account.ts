/** Calls about the member's password and API keys. */
import { isApiError } from '@engawa/client';
import { accountPaths, apiKeys, type ApiKey } from '@engawa/protocol/accounts';
import { z } from 'zod';
import { askProduct, type AskingProduct } from '../connection/productCall.ts';
import type { Failure } from '../connection/failure.ts';

/** @throws as `askProduct`. */
export async function listKeys(asking: AskingProduct): Promise<readonly ApiKey[]> {
  const { answer } = await askProduct(asking, { method: 'GET', path: accountPaths.keys, answer: apiKeys });
  return answer.keys;
}

/** @param id the key to revoke; undefined: all. @throws as `askProduct`. */
export async function endKeys(asking: AskingProduct, id: number | undefined): Promise<undefined> {
  const path = id === undefined ? accountPaths.keys : `${accountPaths.keys}/${id}`;
  await askProduct(asking, { method: 'DELETE', path, answer: z.unknown() });
}

/** Returns the failure if `current` is wrong, which does not sign the member out. @throws as `askProduct` for other errors. */
export async function changePassword(asking: AskingProduct, current: string, password: string): Promise<Failure | undefined> {
  try {
    const body = { current, password };
    await askProduct(asking, { method: 'POST', path: accountPaths.password, body, answer: z.unknown() });
    return undefined;
  } catch (error) {
    if (!isApiError(error, 'AUTHENTICATION_FAILED')) throw error;
    return { kind: 'refused', code: error.code, message: error.message };
  }
}
