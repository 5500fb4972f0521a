/** The member's sessions, keys and password. */
import { isApiError } from '@engawa/client';
import { accountPaths, apiKeys, type ApiKey } from '@engawa/protocol/accounts';
import { paths } from '@engawa/protocol/product';
import { ownSessions, type OwnSession } from '@engawa/protocol/sessions';
import { z } from 'zod/mini';
import { askProduct } from '../connection/productCall.ts';
import type { Failure } from '../connection/failure.ts';
import { signOut } from '../connection/signOut.ts';
import type { ModelContext } from '../context.ts';
import type { PeopleState } from './state.ts';

/** Each call returns the failure, if any. */
export interface Account {
  /**
   * Ends the session of this browser and discards unsent messages. If the server's answer is unclear, nothing is discarded.
   * Otherwise the page must be loaded again.
   */
  signOut(): Promise<Failure | undefined>;
  sessions(): Promise<readonly OwnSession[] | Failure>;
  /** Ends a session; without an id, all sessions except this one. */
  endSessions(id: string | undefined): Promise<Failure | undefined>;
  keys(): Promise<readonly ApiKey[] | Failure>;
  endKeys(id: number | undefined): Promise<Failure | undefined>;
  /** Also ends all other sessions and revokes all keys. Fails with `AUTHENTICATION_FAILED` if `current` is wrong. */
  changePassword(current: string, password: string): Promise<Failure | undefined>;
}

export function createAccount(context: ModelContext<PeopleState>, onSignedOut: () => void): Account {
  const { attempt } = context;

  const end = (path: string, id: number | string | undefined) =>
    attempt(async () => {
      const which = id === undefined ? path : `${path}/${encodeURIComponent(id)}`;
      await askProduct(context, { method: 'DELETE', path: which, answer: z.unknown() });
      return undefined;
    });

  return {
    signOut: () =>
      attempt(async () => {
        await signOut(context);
        onSignedOut();
        return undefined;
      }),
    sessions: () =>
      attempt(async () => {
        const { answer } = await askProduct(context, { method: 'GET', path: paths.sessions, answer: ownSessions });
        return answer.sessions;
      }),
    endSessions: (id) => end(paths.sessions, id),
    keys: () =>
      attempt(async () => {
        const { answer } = await askProduct(context, { method: 'GET', path: accountPaths.keys, answer: apiKeys });
        return answer.keys;
      }),
    endKeys: (id) => end(accountPaths.keys, id),
    changePassword: (current, password) =>
      attempt(async (): Promise<Failure | undefined> => {
        try {
          const body = { current, password };
          await askProduct(context, { method: 'POST', path: accountPaths.password, body, answer: z.unknown() });
          return undefined;
        } catch (error) {
          // The server answers 401 to a wrong password, too, but the session has not ended.
          if (!isApiError(error, 'AUTHENTICATION_FAILED')) throw error;
          return { kind: 'refused', code: error.code, message: error.message };
        }
      }),
  };
}
