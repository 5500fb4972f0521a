import type { Accounts } from '../chat/backend.ts';
import { ServerError, fetchApiKey, isApiError } from '@engawa/client';
import { basicAuthorization, type ConnectAs } from '../chat/connections.ts';
import { refused } from '../http/errors.ts';
import type { SignedIn } from './signIn.ts';
import { memberOf } from './member.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly address: string;
  readonly knownDevice: string | undefined;
}

export interface PasswordSignIn {
  signIn(credentials: Credentials): Promise<SignedIn>;
  /** Signs a member in without a password, after a one-time link has proved who they are. */
  enter(userId: number): Promise<SignedIn>;
}

export function createPasswordSignIn(accounts: Pick<Accounts, 'keyId' | 'enter'>, connectAs: ConnectAs): PasswordSignIn {
  const enteredWith = async (email: string, apiKey: string): Promise<SignedIn> => ({
    member: await memberOf(basicAuthorization(email, apiKey), connectAs),
    keyId: accounts.keyId(apiKey),
  });
  return {
    // The chat server checks the password and issues a key (R3.5).
    async signIn({ email: username, password, ...caller }) {
      try {
        const given = await fetchApiKey(connectAs(undefined, { ...caller, forBrowser: true }), { username, password });
        return await enteredWith(given.email, given.api_key);
      } catch (error) {
        // An invalid email gets the same answer as an unknown one.
        if (isApiError(error, 'BAD_REQUEST')) throw refused.wrongPassword();
        if (error instanceof ServerError && error.status === 503) throw refused.tooBusy();
        throw error;
      }
    },
    async enter(userId) {
      const { email, apiKey } = await accounts.enter(userId);
      return enteredWith(email, apiKey);
    },
  };
}
