import { type Connection, ApiError, fetchApiKey, getOwnUser, getServerSettings } from '@engawa/client';
import { type Candidate, paths, type Session, signIn } from '@engawa/protocol/product';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { basicAuthorization, type Speaker } from '../chat/speaker.ts';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import { isSignedOut, setSignedIn, tokenOf } from './cookie.ts';
import type { Sessions } from './sessions.ts';

/** Who can be picked at the fake sign-in; none of them is asked for a password. */
export interface FakeSignIn {
  readonly candidates: readonly Candidate[];
  readonly defaultMember: string;
  /** What every one of them has as their password at the chat server. */
  readonly password: string;
}

export interface SessionRouteOptions {
  readonly configuration: Configuration;
  readonly sessions: Sessions;
  readonly speak: Speaker;
  readonly fakeSignIn: FakeSignIn;
}

/** GET and POST /api/session */
export function sessionRoutes(app: FastifyInstance, options: SessionRouteOptions): void {
  const { sessions, speak, fakeSignIn } = options;

  app.get(paths.session, async (request, reply) => {
    const member = await signedIn(request, options);
    return reply.header('Cache-Control', 'no-store').send(await sessionView(options, member, isSignedOut(request)));
  });

  app.post(paths.session, async (request, reply) => {
    const { data } = signIn.safeParse(request.body);
    const candidate = fakeSignIn.candidates.find(({ email }) => email === data?.email.toLowerCase());
    if (!candidate) throw refused.notACandidate();

    // The one way in: the chat server checks the password and hands out a key (R3.5).
    const credentials = { username: candidate.email, password: fakeSignIn.password };
    const { email, api_key: apiKey } = await fetchApiKey(speak(), credentials);
    const authorization = basicAuthorization(email, apiKey);
    const member = await ownUser(speak(authorization));

    setSignedIn(reply, await sessions.open(member.user_id, authorization, tokenOf(request)));
    return reply.header('Cache-Control', 'no-store').send(await sessionView(options, member, false));
  });
}

/** The member of this browser's session. A session whose key the chat server no longer takes is ended. */
async function signedIn(request: FastifyRequest, { sessions, speak }: SessionRouteOptions): Promise<Session['member']> {
  const token = tokenOf(request);
  const authorization = token === undefined ? undefined : sessions.authorizationOf(token);
  if (token === undefined || authorization === undefined) return null;
  try {
    return await ownUser(speak(authorization));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    await sessions.end(token);
    return null;
  }
}

async function ownUser(connection: Connection): Promise<NonNullable<Session['member']>> {
  const { user_id, email, full_name } = await getOwnUser(connection, {});
  return { user_id, email, full_name };
}

async function sessionView(
  { configuration, speak, fakeSignIn }: SessionRouteOptions,
  member: Session['member'],
  signedOut: boolean,
): Promise<Session> {
  const { server_extensions: extensions = [] } = await getServerSettings(speak(), {});
  const fake = configuration.authMode === 'fake';
  return {
    auth_mode: configuration.authMode,
    member,
    signed_out: signedOut,
    default_member: fake ? fakeSignIn.defaultMember : null,
    candidates: fake ? [...fakeSignIn.candidates] : [],
    fake_sign_in_exposed: configuration.fakeSignInExposed,
    max_file_size: configuration.maxFileSize,
    extensions,
  };
}
