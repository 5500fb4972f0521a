import { getOwnUser } from '@engawa/client';
import { type Role, roles } from '@engawa/protocol';
import { memberHeader } from '@engawa/protocol/product';
import type { FastifyRequest } from 'fastify';
import { noteCaller } from '../http/calls.ts';
import { refused } from '../http/errors.ts';
import { tokenOf } from './cookie.ts';
import type { Sessions } from './sessions.ts';
import { Facts } from '../chat/facts.ts';
import type { Caller } from '../chat/forward.ts';
import type { ConnectAs } from '../chat/connections.ts';

export interface Member {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly timezone: string;
  readonly avatarUrl: string | null;
  readonly authorization: string;
  readonly isBot: boolean;
}

/** An Authorization header takes precedence over the session cookie. @throws RefusedError for another member than the page's. */
export function callerOf(request: FastifyRequest, sessions: Sessions): Caller {
  const { headers } = request;
  if (headers.authorization !== undefined) {
    return { authorization: headers.authorization, activity: undefined, memberId: undefined };
  }
  const session = sessions.find(tokenOf(request));
  const opened = headers[memberHeader];
  // Calls without the header are allowed, because downloads are plain links.
  noteCaller(request, session?.userId);
  if (session && opened !== undefined && opened !== String(session.userId)) throw refused.anotherMember();
  return { authorization: session?.authorization, activity: session?.activity, memberId: session?.userId };
}

/** @throws ApiError for a wrong or revoked key and for a deactivated member. */
export async function memberOf(authorization: string, connectAs: ConnectAs): Promise<Member> {
  const user = await getOwnUser(connectAs(authorization), {});
  return {
    id: user.user_id,
    // A chat server may hide the real one from others, and from `email`.
    email: user.delivery_email ?? user.email,
    fullName: user.full_name,
    role: user.role,
    timezone: user.timezone,
    avatarUrl: user.avatar_url ?? null,
    authorization,
    isBot: user.is_bot,
  };
}

/** Calls are for people unless they let bots in. */
interface Entry {
  readonly bots?: boolean;
}

export interface Gate {
  /** @throws RefusedError or ApiError, both 401, without a valid member; RefusedError 403 for a bot. */
  member(request: FastifyRequest, entry?: Entry): Promise<Member>;
  /** Changes check the role again in their transaction. @throws RefusedError 403 */
  administrator(request: FastifyRequest): Promise<Member>;
  /**
   * Cached for a minute: screens load pictures by the dozen, and each check counts for the member's rate limit. While the chat server
   * does not answer, who was valid in the last five minutes is.
   */
  viewer(request: FastifyRequest, entry?: Entry): Promise<Member>;
}

const viewerLife = 60_000;

export function createGate(sessions: Sessions, connectAs: ConnectAs, now: () => number): Gate {
  const authorizationOf = (request: FastifyRequest): string => {
    const { authorization } = callerOf(request, sessions);
    if (authorization === undefined) throw refused.notLoggedIn();
    return authorization;
  };
  const viewers = new Facts<string, Member>({ now, life: viewerLife });

  const member = async (request: FastifyRequest, entry?: Entry): Promise<Member> => {
    const asking = await memberOf(authorizationOf(request), connectAs);
    noteCaller(request, asking.id);
    return admitted(asking, entry);
  };

  return {
    member,
    async administrator(request) {
      const asking = await member(request);
      if (asking.role > roles.administrator) throw refused.notAdministrator();
      return asking;
    },
    async viewer(request, entry) {
      const authorization = authorizationOf(request);
      const viewer = await viewers.ask(authorization, () => memberOf(authorization, connectAs));
      noteCaller(request, viewer.id);
      return admitted(viewer, entry);
    },
  };
}

function admitted(member: Member, { bots = false }: Entry = {}): Member {
  if (member.isBot && !bots) throw refused.forPeople();
  return member;
}
