import { ApiError } from '@engawa/client';
import { paths, signIn } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Speaker } from '../chat/connections.ts';
import { noteCaller } from '../http/calls.ts';
import { refused } from '../http/errors.ts';
import { addressOfClient } from '../security/proxies.ts';
import { tokenOf } from './cookie.ts';
import type { Entered, Entrance } from './signIn.ts';
import { type FakeSignIn, fakeEntrance } from './fakeSignIn.ts';
import { type Member, memberOf } from './member.ts';
import type { PasswordEntrance } from './passwordSignIn.ts';
import type { Sessions } from './sessions.ts';

export interface SessionRouteOptions {
  readonly sessions: Sessions;
  readonly speak: Speaker;
  readonly entrance: Entrance;
  /** How members show who they are. */
  readonly way: { readonly fake: FakeSignIn } | { readonly password: PasswordEntrance };
}

/** GET and POST /api/session */
export function sessionRoutes(app: FastifyInstance, options: SessionRouteOptions): void {
  const { entrance } = options;
  const enter = entering(options);

  app.get(paths.session, async (request, reply) => {
    const member = await signedIn(request, options);
    return reply.header('Cache-Control', 'no-store').send(await entrance.view(request, member));
  });

  app.post(paths.session, async (request, reply) => entrance.admit(request, reply, await enter(request)));
}

function entering({ speak, way }: SessionRouteOptions): (request: FastifyRequest) => Promise<Entered> {
  if ('password' in way) {
    return async (request) => {
      const { data } = signIn.safeParse(request.body);
      if (data?.password === undefined) throw refused.wrongPassword();
      return way.password.signIn({ email: data.email.trim(), password: data.password, address: addressOfClient(request) });
    };
  }
  const enter = fakeEntrance(way.fake, speak);
  return async ({ body }) => {
    const { data } = signIn.safeParse(body);
    const candidate = data && way.fake.find(data.email);
    if (!candidate) throw refused.notACandidate();
    return { member: await enter(candidate.email), keyId: undefined };
  };
}

/** The member of this browser's session. A session whose key the chat server no longer takes is ended. */
async function signedIn(request: FastifyRequest, { sessions, speak }: SessionRouteOptions): Promise<Member | null> {
  const token = tokenOf(request);
  const session = token === undefined ? undefined : sessions.find(token);
  if (token === undefined || !session) return null;
  noteCaller(request, session.userId);
  try {
    return await memberOf(session.authorization, speak);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    await sessions.end(token);
    return null;
  }
}
