import { ApiError, getServerSettings } from '@engawa/client';
import { paths, type Session, signIn } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Speaker } from '../chat/speaker.ts';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import { isSignedOut, setSignedIn, tokenOf } from './cookie.ts';
import { type FakeSignIn, fakeEntrance } from './fakeSignIn.ts';
import { type Member, memberOf } from './member.ts';
import type { Sessions } from './sessions.ts';

export interface SessionRouteOptions {
  readonly configuration: Configuration;
  readonly sessions: Sessions;
  readonly speak: Speaker;
  /** Undefined unless members sign in by being picked. */
  readonly fakeSignIn: FakeSignIn | undefined;
}

/** GET and POST /api/session */
export function sessionRoutes(app: FastifyInstance, options: SessionRouteOptions): void {
  const { sessions, speak, fakeSignIn } = options;
  const enter = fakeSignIn && fakeEntrance(fakeSignIn, speak);

  app.get(paths.session, async (request, reply) => {
    const member = await signedIn(request, options);
    return reply.header('Cache-Control', 'no-store').send(await sessionView(options, member, isSignedOut(request)));
  });

  app.post(paths.session, async (request, reply) => {
    if (!fakeSignIn || !enter) throw refused.noFakeSignIn();
    const { data } = signIn.safeParse(request.body);
    const candidate = data && fakeSignIn.find(data.email);
    if (!candidate) throw refused.notACandidate();

    const member = await enter(candidate.email);
    const { id: userId, authorization } = member;
    const { 'user-agent': userAgent = '' } = request.headers;
    setSignedIn(reply, await sessions.open({ userId, authorization, userAgent, replaced: tokenOf(request) }));
    return reply.header('Cache-Control', 'no-store').send(await sessionView(options, member, false));
  });
}

/** The member of this browser's session. A session whose key the chat server no longer takes is ended. */
async function signedIn(request: FastifyRequest, { sessions, speak }: SessionRouteOptions): Promise<Member | null> {
  const token = tokenOf(request);
  const session = token === undefined ? undefined : sessions.find(token);
  if (token === undefined || !session) return null;
  try {
    return await memberOf(session.authorization, speak);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    await sessions.end(token);
    return null;
  }
}

async function sessionView(
  { configuration, speak, fakeSignIn }: SessionRouteOptions,
  member: Member | null,
  signedOut: boolean,
): Promise<Session> {
  const { server_extensions: extensions = [], realm_name: organisation } = await getServerSettings(speak(), {});
  return {
    auth_mode: configuration.authMode,
    member: member && { user_id: member.id, email: member.email, full_name: member.fullName },
    signed_out: signedOut,
    setup_needed: false,
    organisation: organisation ?? null,
    mail: false,
    default_member: fakeSignIn?.defaultMember() ?? null,
    candidates: [...(fakeSignIn?.candidates() ?? [])],
    fake_sign_in_exposed: configuration.fakeSignInExposed,
    max_file_size: configuration.maxFileSize,
    extensions,
  };
}
