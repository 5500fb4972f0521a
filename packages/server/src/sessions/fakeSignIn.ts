import { ApiError, fetchApiKey } from '@engawa/client';
import type { Candidate } from '@engawa/protocol/product';
import { basicAuthorization, type ConnectAs } from '../chat/connections.ts';
import { type Member, memberOf } from './member.ts';

export interface FakeSignIn {
  candidates(): readonly Candidate[];
  /** By the current or the original email. */
  find(email: string): Candidate | undefined;
  defaultMember(): string;
  /** Of every candidate. */
  readonly password: string;
}

/**
 * Signs in through the chat server (R3.5). Keys beyond a member's newest ones stop working, so a key per sign-in would end
 * their other browsers and programs. Each member therefore has one key per process.
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
