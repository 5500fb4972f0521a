import { getServerSettings } from '@engawa/client';
import type { Session } from '@engawa/protocol/product';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Speaker } from '../chat/connections.ts';
import type { Configuration } from '../configuration.ts';
import { isSignedOut, setSignedIn, tokenOf } from './cookie.ts';
import type { FakeSignIn } from './fakeSignIn.ts';
import type { Member } from './member.ts';
import type { Sessions } from './sessions.ts';

export interface EntranceOptions {
  readonly configuration: Configuration;
  readonly sessions: Sessions;
  readonly speak: Speaker;
  /** Undefined unless members sign in by being picked. */
  readonly fakeSignIn: FakeSignIn | undefined;
  /** Whether there is no organisation yet. */
  readonly setupNeeded: () => boolean;
  /** Whether the product can send mail. */
  readonly mail: boolean;
}

/** Somebody who has shown who they are. */
export interface Entered {
  readonly member: Member;
  /** The number of the key that the session has for itself; undefined where it is shared. */
  readonly keyId: number | undefined;
}

/** The one place where browsers are let in, and told where they stand. */
export interface Entrance {
  /** Signs the browser in; the session that it had before ends. */
  admit(request: FastifyRequest, reply: FastifyReply, entered: Entered): Promise<Session>;
  /** @param member null: nobody is signed in. */
  view(request: FastifyRequest, member: Member | null): Promise<Session>;
}

export function createEntrance(options: EntranceOptions): Entrance {
  const { configuration, sessions, speak, fakeSignIn, setupNeeded, mail } = options;
  const view = async (member: Member | null, signedOut: boolean): Promise<Session> => {
    const { server_extensions: extensions = [], realm_name: organisation } = await getServerSettings(speak(), {});
    return {
      auth_mode: configuration.authMode,
      member: member && { user_id: member.id, email: member.email, full_name: member.fullName },
      signed_out: signedOut,
      setup_needed: setupNeeded(),
      organisation: organisation || null,
      mail,
      default_member: fakeSignIn?.defaultMember() ?? null,
      candidates: [...(fakeSignIn?.candidates() ?? [])],
      fake_sign_in_exposed: configuration.fakeSignInExposed,
      max_file_size: configuration.maxFileSize,
      extensions,
    };
  };
  return {
    view: (request, member) => view(member, isSignedOut(request)),
    async admit(request, reply, { member, keyId }) {
      const { id: userId, authorization } = member;
      const { 'user-agent': userAgent = '' } = request.headers;
      setSignedIn(reply, await sessions.open({ userId, authorization, keyId, userAgent, replaced: tokenOf(request) }));
      void reply.header('Cache-Control', 'no-store');
      return view(member, false);
    },
  };
}
