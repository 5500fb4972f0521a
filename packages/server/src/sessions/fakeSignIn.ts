import { ApiError, fetchApiKey } from '@engawa/client';
import type { Candidate } from '@engawa/protocol/product';
import { basicAuthorization, type ConnectAs } from '../chat/connections.ts';
import { type Member, memberOf } from './member.ts';

export interface FakeSignIn {
  candidates(): readonly Candidate[];
  /** Finds a candidate by the current or the original email. */
  find(email: string): Candidate | undefined;
  defaultMember(): string;
  readonly password: string;
}

/** Goes through the chat server (R3.5). A key per sign-in would end a member's older keys, so each has one key per process. */
export function sharedKeySignIn({ password }: FakeSignIn, connectAs: ConnectAs): (email: string) => Promise<Member> {
  const authorizations = new Map<string, Promise<string>>();

  const issue = async (username: string): Promise<string> => {
    const { email, api_key: apiKey } = await fetchApiKey(connectAs(undefined, { forBrowser: true }), { username, password });
    return basicAuthorization(email, apiKey);
  };
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
