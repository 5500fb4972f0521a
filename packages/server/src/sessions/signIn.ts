import { getServerSettings } from '@engawa/client';
import { type Session, signIn as signInBody } from '@engawa/protocol/product';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChatBackend } from '../chat/backend.ts';
import type { ConnectAs } from '../chat/connections.ts';
import type { Configuration } from '../configuration.ts';
import { refused } from '../http/errors.ts';
import { addressOfClient } from '../security/proxies.ts';
import { isSignedOut, setSignedIn, tokenOf } from './cookie.ts';
import { type FakeSignIn, sharedKeySignIn } from './fakeSignIn.ts';
import type { KnownDevices } from './knownDevices.ts';
import type { Member } from './member.ts';
import type { PasswordSignIn } from './passwordSignIn.ts';
import type { Sessions } from './sessions.ts';

export interface SignInDependencies {
  readonly configuration: Configuration;
  readonly sessions: Sessions;
  readonly chat: Pick<ChatBackend, 'capabilities'>;
  readonly connectAs: ConnectAs;
  readonly fakeSignIn: FakeSignIn | undefined;
  readonly passwordSignIn: PasswordSignIn;
  /** Undefined if the chat server counts wrong passwords itself. */
  readonly knownDevices: KnownDevices | undefined;
  readonly setupNeeded: () => boolean;
  readonly sendsMail: boolean;
}

export interface SignedIn {
  readonly member: Member;
  /** The id of the session's own API key; undefined if the member's sessions share one key. */
  readonly keyId: number | undefined;
}

export interface SignIn {
  /** @throws RefusedError or ApiError, 401 */
  authenticate(request: FastifyRequest): Promise<SignedIn>;
  /** The browser's previous session ends. */
  admit(request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn): Promise<Session>;
  view(request: FastifyRequest, member: Member | null): Promise<Session>;
}

export function createSignIn(dependencies: SignInDependencies): SignIn {
  const { configuration, sessions, chat, connectAs, fakeSignIn, passwordSignIn, knownDevices, setupNeeded, sendsMail } =
    dependencies;
  const view = async (member: Member | null, signedOut: boolean): Promise<Session> => {
    const [{ realm_name: organisation }, capabilities] = await Promise.all([
      getServerSettings(connectAs(), {}),
      chat.capabilities(),
    ]);
    return {
      auth_mode: configuration.authMode,
      member: member && { user_id: member.id, email: member.email, full_name: member.fullName },
      signed_out: signedOut,
      setup_needed: setupNeeded(),
      organisation: organisation || null,
      mail: sendsMail,
      calls: configuration.calls !== undefined,
      default_member: fakeSignIn?.defaultMember() ?? null,
      candidates: [...(fakeSignIn?.candidates() ?? [])],
      fake_sign_in_exposed: configuration.fakeSignInExposed,
      max_file_size: configuration.maxFileSize,
      capabilities: [...capabilities],
    };
  };
  return {
    authenticate: fakeSignIn ? byCandidate(fakeSignIn, connectAs) : byPassword(passwordSignIn, knownDevices),
    view: (request, member) => view(member, isSignedOut(request)),
    async admit(request, reply, { member, keyId }) {
      const { id: userId, authorization } = member;
      const { 'user-agent': userAgent = '' } = request.headers;
      if (!fakeSignIn) await knownDevices?.remember(reply, userId);
      const address = addressOfClient(request);
      setSignedIn(reply, await sessions.open({ userId, authorization, keyId, userAgent, address, replaced: tokenOf(request) }));
      void reply.header('Cache-Control', 'no-store');
      return view(member, false);
    },
  };
}

function byPassword(passwordSignIn: PasswordSignIn, knownDevices: KnownDevices | undefined): SignIn['authenticate'] {
  return async (request) => {
    const { data } = signInBody.safeParse(request.body);
    if (data?.password === undefined) throw refused.wrongPassword();
    const username = data.email.trim();
    const knownDevice = knownDevices?.find(request, username);
    return passwordSignIn({ username, password: data.password, address: addressOfClient(request), knownDevice });
  };
}

function byCandidate(fakeSignIn: FakeSignIn, connectAs: ConnectAs): SignIn['authenticate'] {
  const memberWithEmail = sharedKeySignIn(fakeSignIn, connectAs);
  return async ({ body }) => {
    const { data } = signInBody.safeParse(body);
    const candidate = data && fakeSignIn.find(data.email);
    if (!candidate) throw refused.notACandidate();
    return { member: await memberWithEmail(candidate.email), keyId: undefined };
  };
}
