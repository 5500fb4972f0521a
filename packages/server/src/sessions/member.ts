import { getOwnUser } from '@engawa/client';
import type { FastifyRequest } from 'fastify';
import { refused } from '../http/errors.ts';
import { tokenOf } from './cookie.ts';
import type { Sessions } from './sessions.ts';
import type { Speaker } from '../chat/speaker.ts';

/** The member who asks. Whatever a call looks up at the chat server, it looks up with their authorization. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly authorization: string;
}

/** With an Authorization header that alone decides; without one the session of the cookie does. */
export function authorizationOf(request: FastifyRequest, sessions: Sessions): string | undefined {
  if (request.headers.authorization !== undefined) return request.headers.authorization;
  const token = tokenOf(request);
  return token === undefined ? undefined : sessions.authorizationOf(token);
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
      const authorization = authorizationOf(request, sessions);
      if (authorization === undefined) throw refused.notLoggedIn();
      return memberOf(authorization, speak);
    },
  };
}
