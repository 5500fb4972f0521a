import {
  type Connection,
  connect,
  createUser,
  deactivateUser,
  fetchApiKey,
  getMessage,
  getStreamId,
  subscribe,
  unsubscribe,
} from '@engawa/client';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Live } from '../../live/live.ts';
import { startZulip } from '../../testing/zulip/zulip.ts';
import type { Asker, Conversations, RequestChat } from '../backend.ts';
import { basicAuthorization, connectionsTo } from '../connections.ts';
import { conversationsAtZulip } from './conversations.ts';

const zulip = await startZulip({ callsPerMinute: 100_000 });
afterAll(() => zulip.close());

const minute = 60_000;

const request: RequestChat = async ({ method, url, headers, body, signal }) => {
  const read = Buffer.from((await body(Infinity)) ?? '');
  const sent = { authorization: String(headers['authorization']), 'content-type': String(headers['content-type']) };
  const init = { method, headers: sent, signal, ...(method === 'GET' ? {} : { body: read }) };
  const answer = await fetch(zulip.url + url, init);
  return { status: answer.status, headers: Object.fromEntries(answer.headers), body: new Uint8Array(await answer.arrayBuffer()) };
};
const connectAs = connectionsTo(request);

interface Member extends Asker {
  readonly connection: Connection;
}

async function signIn(name: string): Promise<Member> {
  const credentials = { username: `${name}@engawa.example`, password: 'demo' };
  const { api_key, email, user_id } = await fetchApiKey(connect({ realm: zulip.url }), credentials);
  const authorization = basicAuthorization(email, api_key);
  return { id: user_id ?? 0, authorization, connection: connectAs(authorization) };
}

const tanaka = await signIn('tanaka');
const sato = await signIn('sato');
const suzuki = await signIn('suzuki');
const owner = await signIn('takahashi.koichi');

let created = 0;
async function createStream(members: readonly Member[], isPrivate = true) {
  const name = `通話の会 ${(created += 1)}`;
  const [creator = tanaka] = members;
  const principals = members.map(({ id }) => id);
  await subscribe(creator.connection, { subscriptions: [{ name }], principals, invite_only: isPrivate });
  const { stream_id: id } = await getStreamId(creator.connection, { stream: name });
  return { id, remove: ({ connection }: Member) => unsubscribe(connection, { subscriptions: [name] }) };
}

let conversations: Conversations;
let live: Live;
let passed = 0;
beforeEach(() => {
  const clock = { now: () => Date.now() + passed, every: () => () => undefined };
  live = new Live(clock);
  conversations = conversationsAtZulip({ connectAs, live, now: clock.now });
});
const poll = (member: Member, after?: string) => live.poll(member.id, after, AbortSignal.abort());
const askedSince = (count: number) => zulip.received.slice(count).map(({ call }) => call);

describe('conversations at Zulip', () => {
  it('[R7.8] The participants of a direct conversation are in it, and nobody else, without a call to Zulip', async () => {
    const { length } = zulip.received;
    const direct = [tanaka.id, sato.id];
    await conversations.ask(tanaka, direct);
    expect(direct.every((id) => conversations.isIn(id, direct) && conversations.mayJoin(id, direct))).toBe(true);
    expect([conversations.isIn(suzuki.id, direct), conversations.mayJoin(suzuki.id, direct)]).toEqual([false, false]);
    expect(conversations.members(direct, 10)).toEqual(direct);
    expect(askedSince(length)).toEqual([]);
  });

  it('[R7.8] The subscribers of a private stream are in it, and nobody else may join, also no administrator', async () => {
    const { id } = await createStream([tanaka, sato]);
    for (const member of [tanaka, sato, suzuki, owner]) await conversations.ask(member, id);
    expect(conversations.members(id, 10)).toEqual([tanaka.id, sato.id].toSorted((a, b) => a - b));
    expect(conversations.members(id, 1)).toHaveLength(1);
    for (const { id: userId } of [tanaka, sato]) expect(conversations.mayJoin(userId, id)).toBe(true);
    for (const { id: userId } of [suzuki, owner]) {
      expect([conversations.isIn(userId, id), conversations.mayJoin(userId, id)]).toEqual([false, false]);
    }
  });

  it('[R7.8] A member who may read a public stream may join its call without being in the stream', async () => {
    const { id } = await createStream([owner, tanaka], false);
    await conversations.ask(sato, id);
    expect([conversations.isIn(sato.id, id), conversations.mayJoin(sato.id, id)]).toEqual([false, true]);
    expect(conversations.members(id, 10)).toEqual([owner.id, tanaka.id].toSorted((a, b) => a - b));
  });

  it('[R7.8] Nothing is known of a stream before somebody who may read it asks', async () => {
    const { id } = await createStream([tanaka, sato]);
    await conversations.ask(suzuki, id);
    expect(conversations.members(id, 10)).toEqual([]);
    expect(conversations.mayJoin(tanaka.id, id)).toBe(false);
  });

  it('[R7.8] Zulip is asked with the key of the member who asks, and again after a minute', async () => {
    const { id } = await createStream([tanaka, sato]);
    const { length } = zulip.received;
    await Promise.all([conversations.ask(tanaka, id), conversations.ask(tanaka, id), conversations.ask(tanaka)]);
    const asked = ['GET /users/me/subscriptions', `GET /streams/${id}/members`];
    expect(askedSince(length)).toEqual(asked);
    passed += minute - 1000;
    await conversations.ask(tanaka, id);
    expect(askedSince(length)).toEqual(asked);
    passed += 1000;
    await conversations.ask(tanaka, id);
    expect(askedSince(length)).toEqual([...asked, ...asked]);
    await expect(conversations.ask({ id: 999, authorization: 'Basic bm9ib2R5Om5v' }, id)).rejects.toMatchObject({ status: 401 });
  });

  it('[R7.8] A member who loses a stream may not join its call a minute later, when they or another member ask', async () => {
    const { id, remove } = await createStream([tanaka, sato]);
    await conversations.ask(tanaka, id);
    await conversations.ask(sato, id);
    await remove(sato);
    passed += minute;
    expect(conversations.mayJoin(sato.id, id)).toBe(true);
    await conversations.ask(tanaka, id);
    expect(conversations.mayJoin(sato.id, id)).toBe(false);
    await conversations.ask(sato, id);
    expect([conversations.isIn(sato.id, id), conversations.mayJoin(sato.id, id)]).toEqual([false, false]);
  });

  it('[R7.8] A member who loses a private stream is not let in because the public streams were asked for later', async () => {
    const { id, remove } = await createStream([tanaka, sato]);
    const open = await createStream([owner], false);
    await conversations.ask(sato, id);
    passed += minute / 2;
    await conversations.ask(sato, open.id);
    await remove(sato);
    passed += minute / 2;
    await conversations.ask(sato, id);
    expect([conversations.mayJoin(sato.id, id), conversations.mayJoin(sato.id, open.id)]).toEqual([false, true]);
  });

  it('[R7.8] While Zulip does not answer, what is known is used for five minutes', async () => {
    const { id } = await createStream([tanaka, sato]);
    await conversations.ask(tanaka, id);
    await zulip.fail({ badGateway: true });
    onTestFinished(() => zulip.fail());
    passed += 2 * minute;
    await conversations.ask(tanaka, id);
    expect(conversations.mayJoin(tanaka.id, id)).toBe(true);
    passed += 3 * minute;
    await expect(conversations.ask(tanaka, id)).rejects.toThrow();
    expect(conversations.mayJoin(tanaka.id, id)).toBe(false);
  });

  it('[R7.8] A request does not wait longer than three seconds for a slow Zulip if its last answer can be used', async () => {
    const { id } = await createStream([tanaka, sato]);
    await conversations.ask(tanaka, id);
    await zulip.fail({ delay: 30_000 });
    onTestFinished(() => zulip.fail());
    passed += minute;
    await conversations.ask(tanaka);
    expect(conversations.mayJoin(tanaka.id, id)).toBe(true);
  }, 10_000);

  it('[R7.8] Deactivated members are not called', async () => {
    const email = 'gone@engawa.example';
    const { user_id: gone = 0 } = await createUser(owner.connection, { email, password: 'つくばい苔庭42', full_name: '去る人' });
    const direct = [tanaka.id, sato.id, gone];
    await conversations.askWhoCanAnswer(tanaka, direct);
    expect(conversations.members(direct, 10)).toEqual(direct);
    await deactivateUser(owner.connection, { user_id: gone });
    passed += 10 * minute;
    await conversations.askWhoCanAnswer(tanaka, direct);
    expect(conversations.members(direct, 10)).toEqual([tanaka.id, sato.id]);
    passed += 9 * minute;
    await conversations.askWhoCanAnswer(tanaka, direct);
    expect(conversations.members(direct, 10)).toEqual([tanaka.id, sato.id]);
  });

  it('[R7.8] A call is announced by a message of the caller, with the refusals of Zulip', async () => {
    const call = { id: 'x'.repeat(16), kind: 'audio' } as const;
    const id = await conversations.announce(tanaka, [tanaka.id, sato.id], call, '音声通話を開始しました。');
    const { message } = await getMessage(sato.connection, { message_id: id });
    expect(message).toMatchObject({ sender_id: tanaka.id, type: 'private', content: expect.stringContaining('音声通話') });
    const stream = await createStream([tanaka, sato]);
    const inStream = await conversations.announce(sato, stream.id, call, '音声通話を開始しました。');
    expect((await getMessage(tanaka.connection, { message_id: inStream })).message).toMatchObject({ stream_id: stream.id });
    await expect(conversations.announce(tanaka, [tanaka.id, 999_999], call, '通話')).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await expect(conversations.announce(suzuki, stream.id, call, '通話')).rejects.toMatchObject({ status: 400 });
  });

  it('[R7.8] The state of a call reaches the live channels of those who are in the conversation', async () => {
    const { id } = await createStream([tanaka, sato]);
    await conversations.ask(tanaka, id);
    const opened = await Promise.all([sato, suzuki].map(async (member) => (await poll(member)).after));
    conversations.publish(id, (viewerId) => ({ viewer: viewerId }));
    expect((await poll(sato, opened[0])).events).toEqual([{ id: 1, type: 'call', call: { viewer: sato.id } }]);
    expect((await poll(suzuki, opened[1])).events).toEqual([]);
  });
});
