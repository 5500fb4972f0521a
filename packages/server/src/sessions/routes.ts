import { ApiError } from '@engawa/client';
import { paths } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ChatBackend } from '../chat/backend.ts';
import type { ConnectAs } from '../chat/connections.ts';
import type { Configuration } from '../configuration.ts';
import { noteCaller } from '../http/calls.ts';
import { tokenOf } from './cookie.ts';
import { logoutRoutes } from './logout.ts';
import { type Gate, type Member, memberOf } from './member.ts';
import { ownSessionRoutes } from './ownSessions.ts';
import type { Sessions } from './sessions.ts';
import type { SignIn } from './signIn.ts';

export interface SessionRouteDependencies {
  readonly configuration: Configuration;
  readonly sessions: Sessions;
  readonly gate: Gate;
  readonly connectAs: ConnectAs;
  readonly signIn: SignIn;
  readonly keys: Pick<ChatBackend['keys'], 'renew'>;
}

export function sessionRoutes(app: FastifyInstance, dependencies: SessionRouteDependencies): void {
  const { signIn } = dependencies;

  app.get(paths.session, async (request, reply) => {
    const member = await signedInMember(request, dependencies);
    return reply.header('Cache-Control', 'no-store').send(await signIn.view(request, member));
  });

  app.post(paths.session, async (request, reply) => signIn.admit(request, reply, await signIn.authenticate(request)));

  ownSessionRoutes(app, dependencies);
  logoutRoutes(app, dependencies);
}

/** Null also for a session whose key the chat server refuses. It is not ended here, because other sites can open a GET. */
async function signedInMember(
  request: FastifyRequest,
  { sessions, connectAs }: SessionRouteDependencies,
): Promise<Member | null> {
  const session = sessions.find(tokenOf(request));
  if (!session) return null;
  noteCaller(request, session.userId);
  try {
    return await memberOf(session.authorization, connectAs);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return null;
  }
}
