import { getOwnUser } from '@engawa/client';
import { memberHeader } from '@engawa/protocol/product';
import type { FastifyRequest } from 'fastify';
import { refused } from '../http/errors.ts';
import { tokenOf } from './cookie.ts';
import type { Sessions } from './sessions.ts';
import type { UnderWay } from './underWay.ts';
import type { Speaker } from '../chat/speaker.ts';

/** The member who asks. Whatever a call looks up at the chat server, it looks up with their authorization. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly authorization: string;
}

/** What a request is forwarded to the chat server with. */
export interface Caller {
  readonly authorization: string | undefined;
  /** Of the session that the request is made with, if it is made with one. */
  readonly underWay: UnderWay | undefined;
}

/**
 * With an Authorization header that alone decides; without one the session of the cookie does.
 * @throws RefusedError when the session is another member's than the one that the page was opened for.
 */
export function callerOf(request: FastifyRequest, sessions: Sessions): Caller {
  const { headers } = request;
  if (headers.authorization !== undefined) return { authorization: headers.authorization, underWay: undefined };
  const token = tokenOf(request);
  const session = token === undefined ? undefined : sessions.find(token);
  const opened = headers[memberHeader];
  // Downloads are followed as links, which carry no header.
  if (session && opened !== undefined && opened !== String(session.userId)) throw refused.anotherMember();
  return { authorization: session?.authorization, underWay: session?.underWay };
}

/**
 * Who the chat server says this authorization belongs to.
 * @throws ApiError when it belongs to nobody: a wrong or revoked key, a deactivated member.
 */
export async function memberOf(authorization: string, speak: Speaker): Promise<Member> {
  const { user_id: id, email, full_name: fullName } = await getOwnUser(speak(authorization), {});
  return { id, email, fullName, authorization };
}

export interface Gate {
  /** @throws RefusedError or ApiError, both 401, when nobody who is a member asks. */
  member(request: FastifyRequest): Promise<Member>;
}

export function createGate(sessions: Sessions, speak: Speaker): Gate {
  return {
    async member(request) {
      const { authorization } = callerOf(request, sessions);
      if (authorization === undefined) throw refused.notLoggedIn();
      return memberOf(authorization, speak);
    },
  };
}
