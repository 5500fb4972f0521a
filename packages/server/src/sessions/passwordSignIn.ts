import type { Accounts, ChatBackend } from '../chat/backend.ts';
import { ServerError, fetchApiKey, isApiError } from '@engawa/client';
import { basicAuthorization, type ConnectAs } from '../chat/connections.ts';
import { refused } from '../http/errors.ts';
import type { SignedIn } from './signIn.ts';
import { memberOf } from './member.ts';

interface Credentials {
  /** The email, or the name that the chat server knows the member by. */
  readonly username: string;
  readonly password: string;
  readonly address: string;
  readonly knownDevice: string | undefined;
}

export type PasswordSignIn = (credentials: Credentials) => Promise<SignedIn>;

/** The chat server checks the password and issues a key (R3.5). */
export function createPasswordSignIn(keys: Pick<ChatBackend['keys'], 'keyId'>, connectAs: ConnectAs): PasswordSignIn {
  return async ({ username, password, ...caller }) => {
    try {
      const given = await fetchApiKey(connectAs(undefined, { ...caller, forBrowser: true }), { username, password });
      return await signedInWith(given.email, given.api_key, keys, connectAs);
    } catch (error) {
      // An invalid email gets the same answer as an unknown one.
      if (isApiError(error, 'BAD_REQUEST')) throw refused.wrongPassword();
      if (error instanceof ServerError && error.code === 'RATE_LIMIT_HIT') throw refused.tooBusy();
      throw error;
    }
  };
}

/** Signs a member in without a password, after a one-time link has proved who they are. */
export type EnterByLink = (userId: number) => Promise<SignedIn>;

export function createEnterByLink(accounts: Pick<Accounts, 'keyId' | 'enter'>, connectAs: ConnectAs): EnterByLink {
  return async (userId) => {
    const { email, apiKey } = await accounts.enter(userId);
    return signedInWith(email, apiKey, accounts, connectAs);
  };
}

/** @param email as the chat server gave it with the key: it may show another one to members. */
async function signedInWith(
  email: string,
  apiKey: string,
  { keyId }: Pick<ChatBackend['keys'], 'keyId'>,
  connectAs: ConnectAs,
): Promise<SignedIn> {
  return { member: await memberOf(basicAuthorization(email, apiKey), connectAs), keyId: keyId(apiKey) };
}
