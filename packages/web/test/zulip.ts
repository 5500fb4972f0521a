import { connect, fetchApiKey, getOwnUser, systemClock, type Connection, type Fetch } from '@engawa/client';
import { startZulip, type Zulip } from '@engawa/server/testing/zulip';
import type { User } from '@engawa/protocol';
import { expect, onTestFinished, vi } from 'vitest';
import { createModel } from '../src/model/createModel.ts';
import type { Model } from '../src/model/model.ts';
import { selectTimeline } from '../src/model/outbox/selectors.ts';
import { selectConnection } from '../src/model/connection/state.ts';
import { sessionOf } from './organisation.ts';

interface ZulipMember {
  readonly user: User;
  readonly connection: Connection;
}

export interface OnZulip {
  readonly zulip: Zulip;
  readonly model: Model;
  readonly member: ZulipMember;
  readonly colleague: ZulipMember;
  /** The stream that is open. */
  readonly streamId: number;
  /** Refusals: the call, the status and the message of the server. */
  readonly refusals: readonly string[];
}

/** The model of a member whose session has no capability, in front of a server like a real Zulip of feature level 218. */
export async function onZulip(): Promise<OnZulip> {
  const zulip = await startZulip({});
  const refusals: string[] = [];
  const signIn = async (username: string): Promise<ZulipMember> => {
    const { api_key: apiKey, email } = await fetchApiKey(connect({ realm: zulip.url }), { username, password: 'demo' });
    const connection = connect({ realm: zulip.url, username: email, apiKey });
    return { connection, user: await getOwnUser(connection, {}) };
  };
  const member = await signIn('tanaka@engawa.example');
  const model = createModel({
    session: sessionOf({ ...member.user, email: 'tanaka@engawa.example' }, []),
    environment: {
      site: zulip.url,
      fetch: asMember(member.connection, refusals),
      upload: () => Promise.resolve(undefined),
      clock: systemClock,
      random: () => 0,
      locks: undefined,
      openChannel: (name) => new BroadcastChannel(`${name} at ${zulip.url}`),
      storage: undefined,
      sharedStorage: undefined,
      onOtherTab: () => () => {},
      openOutbox: undefined,
      onWake: () => () => {},
      onLeave: () => () => {},
      onceDrawn: (then) => then(),
      log: () => {},
    },
  });
  onTestFinished(async () => {
    await model.stop();
    await zulip.close();
  });
  model.start();
  await vi.waitFor(() => expect(selectConnection(model.state())).toBe('online'));
  const [streamId = 0] = model.state().subscriptions?.keys() ?? [];
  model.open(streamId);
  await vi.waitFor(() => expect(selectTimeline(model.state(), streamId)?.status).toBe('ready'));
  return { zulip, model, member, colleague: await signIn('sato@engawa.example'), streamId, refusals };
}

/** Calls the server with the key of the member, as the product does for the browser's session. It has no departments. */
function asMember({ username = '', apiKey = '' }: Connection, refusals: string[]): Fetch {
  const authorization = `Basic ${Buffer.from(`${username}:${apiKey}`).toString('base64')}`;
  return async (input, init = {}) => {
    const { pathname, href } = new URL(String(input));
    if (!pathname.startsWith('/api/v1/')) return Response.json({ data: [], people: [], next: null });
    const answer = await fetch(href, { ...init, headers: { ...init.headers, authorization } });
    if (!answer.ok) refusals.push(`${init.method} ${pathname} ${answer.status} ${await answer.clone().text()}`);
    return answer;
  };
}
