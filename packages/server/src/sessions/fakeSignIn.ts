import { ApiError, fetchApiKey } from '@engawa/client';
import type { Candidate } from '@engawa/protocol/product';
import { basicAuthorization, type ConnectAs } from '../chat/connections.ts';
import { type Member, memberOf } from './member.ts';

/** Who can be picked at the fake sign-in; none of them is asked for a password. */
export interface FakeSignIn {
  /** As they are now. */
  candidates(): readonly Candidate[];
  /** Who has this email, or had it when the organisation was made. */
  find(email: string): Candidate | undefined;
  /** The email of the one whom a new browser is signed in as. */
  defaultMember(): string;
  /** What every one of them has as their password at the chat server. */
  readonly password: string;
}

/**
 * The one way in: the chat server checks the password and hands out a key (R3.5). A member's newest keys hold and none
 * can be given back, so a key for each sign-in would soon end those of their other browsers and programs: each member
 * has one for as long as the process lives.
 */
export function sharedKeySignIn({ password }: FakeSignIn, connectAs: ConnectAs): (email: string) => Promise<Member> {
  const authorizations = new Map<string, Promise<string>>();

  const issue = async (username: string): Promise<string> => {
    const { email, api_key: apiKey } = await fetchApiKey(connectAs(undefined, { forBrowser: true }), { username, password });
    return basicAuthorization(email, apiKey);
  };
  /** @param refused what the chat server does not take, or no longer. */
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
