import { ApiError, fetchApiKey } from '@engawa/client';
import type { Candidate } from '@engawa/protocol/product';
import { basicAuthorization, type ConnectAs } from '../chat/connections.ts';
import { type Member, memberOf } from './member.ts';

/** The candidates of the fake sign-in, which asks for no password. */
export interface FakeSignIn {
  candidates(): readonly Candidate[];
  /** Finds a candidate by the current or the original email. */
  find(email: string): Candidate | undefined;
  /** The email of the member that a new browser is signed in as. */
  defaultMember(): string;
  /** The password of every candidate at the chat server. */
  readonly password: string;
}

/**
 * Signs in through the chat server, which checks the password and issues a key (R3.5). Keys beyond a member's newest ones
 * stop working, so a key per sign-in would end their other browsers and programs. Each member therefore has one key per
 * process.
 */
export function sharedKeySignIn({ password }: FakeSignIn, connectAs: ConnectAs): (email: string) => Promise<Member> {
  const authorizations = new Map<string, Promise<string>>();

  const issue = async (username: string): Promise<string> => {
    const { email, api_key: apiKey } = await fetchApiKey(connectAs(undefined, { forBrowser: true }), { username, password });
    return basicAuthorization(email, apiKey);
  };
  /** @param refused a key that the chat server no longer accepts. */
  const authorizationOf = (email: string, refused?: Promise<string>): Promise<string> => {
    const current = authorizations.get(email);
    if (current && current !== refused) return current;
    const issued = issue(email);
    authorizations.set(email, issued);
    issued.catch(() => authorizations.delete(email));
    return issued;
  };

  return async (email) => {
    const authorization = authorizationOf(email);
    try {
      return await memberOf(await authorization, connectAs);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      return memberOf(await authorizationOf(email, authorization), connectAs);
    }
  };
}
