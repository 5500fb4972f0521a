import {
  deactivateUser,
  fetchApiKey,
  getEvents,
  getMessages,
  getOwnUser,
  getSubscriptions,
  getUser,
  reactivateUser,
  registerQueue,
  roles,
  sendMessage,
  updateUser,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const deactivated = { status: 401, code: 'USER_DEACTIVATED', msg: 'Account is deactivated' };
const message = (content: string, to: string = eg.general) => ({ type: 'stream', to, topic: 't', content });

async function administrating() {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const user_id = server.user('sato');
  return {
    server,
    tanaka,
    sato,
    says: (content: string, to?: string) => tanaka.ok(sendMessage, message(content, to)),
    goes: () => tanaka.ok(deactivateUser, { user_id }),
    returns: () => tanaka.ok(reactivateUser, { user_id }),
  };
}

/** What a member finds in one stream, with their flags. */
async function read(client: eg.Client, stream: string) {
  const narrow = [['stream', stream] as [string, string]];
  const { messages } = await client.ok(getMessages, { anchor: 'oldest', num_before: 0, num_after: 9, narrow });
  return messages.map(({ content, flags }) => [content.replaceAll(/<.*?>/g, ''), flags]);
}

describe('DELETE /users/{id}', () => {
  it('[R7.6] refuses the member from then on: every call, every poll that waits, and signing in', async () => {
    const { server, sato, goes } = await administrating();
    const { id: queue_id, cursor: last_event_id } = await queueOf(sato);
    const waiting = sato.refused(getEvents, { queue_id, last_event_id });
    await settled();
    await goes();
    expect(await waiting).toMatchObject(deactivated);
    expect(await sato.refused(getOwnUser, {})).toMatchObject(deactivated);
    expect(await sato.refused(sendMessage, message('まだ'))).toMatchObject(deactivated);
    const signingIn = { username: 'sato@example.com', password: eg.password };
    expect(await eg.visitor(server).refused(fetchApiKey, signingIn)).toMatchObject(deactivated);
  });

  it('is told to everyone, and to those who see the streams that a subscriber went', async () => {
    const { server, tanaka, goes } = await administrating();
    const queues = await Promise.all(['tanaka', 'suzuki', 'ito'].map((name) => queueOf(eg.signIn(server, name))));
    const deaf = await queueOf(tanaka, { event_types: ['message'] });
    await goes();
    const user_id = server.user('sato');
    const leaves = (stream: string) => ({
      id: expect.any(Number),
      type: 'subscription',
      op: 'peer_remove',
      stream_ids: [server.stream(stream)],
      user_ids: [user_id],
    });
    const person = { user_id, is_active: false };
    const goesForAll = { id: expect.any(Number), type: 'realm_user', op: 'update', person };
    expect(await Promise.all(queues.map((queue) => queue.take()))).toEqual([
      [leaves(eg.general), leaves(eg.personnel), goesForAll],
      [leaves(eg.general), goesForAll],
      [goesForAll],
    ]);
    expect(await deaf.take()).toEqual([]);
  });

  it('leaves the member among the users, as one who is not active, and out of what is subscribed', async () => {
    const { server, tanaka, goes } = await administrating();
    await goes();
    const user_id = server.user('sato');
    expect(await tanaka.ok(getUser, { user_id })).toMatchObject({ user: { is_active: false } });
    const { realm_users, realm_non_active_users } = await tanaka.ok(registerQueue, {});
    expect(realm_users?.map((user) => user.user_id)).not.toContain(user_id);
    expect(realm_non_active_users).toMatchObject([{ user_id }]);
    const { subscriptions } = await tanaka.ok(getSubscriptions, { include_subscribers: true });
    expect(subscriptions.flatMap(({ subscribers = [] }) => subscribers)).not.toContain(user_id);
  });

  it('lets go of a queue that was about to be registered', async () => {
    const { sato, goes } = await administrating();
    const going = goes();
    expect(await sato.refused(registerQueue, {})).toMatchObject(deactivated);
    await going;
  });

  it('leaves everybody else’s queues alone', async () => {
    const { tanaka, goes } = await administrating();
    const { id: queue_id, cursor: last_event_id } = await queueOf(tanaka, { event_types: ['message'] });
    await goes();
    expect(await tanaka.ok(getEvents, { queue_id, last_event_id, dont_block: true })).toMatchObject({ events: [] });
  });

  it('[R6.3] of an owner is the owners’, and never that of the last', async () => {
    const { server, tanaka, sato } = await administrating();
    const [user_id, suzuki] = [server.user('tanaka'), server.user('suzuki')];
    const mustBeOwner = { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' };
    expect(await sato.refused(deactivateUser, { user_id })).toMatchObject(mustBeOwner);
    expect(await tanaka.refused(deactivateUser, { user_id })).toMatchObject({
      status: 400,
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      msg: 'Cannot deactivate the only organization owner.',
      is_last_owner: true,
      entity: 'organization owner',
    });
    await tanaka.ok(updateUser, { user_id: suzuki, role: roles.owner });
    await tanaka.ok(deactivateUser, { user_id });
    expect(await sato.refused(reactivateUser, { user_id })).toMatchObject(mustBeOwner);
    await eg.signIn(server, 'suzuki').ok(reactivateUser, { user_id });
  });
});

describe('POST /users/{id}/reactivate', () => {
  it('[R7.6] lets the member in again, with their key, their password and their subscriptions', async () => {
    const { server, sato, goes, returns } = await administrating();
    const before = await sato.ok(getSubscriptions, { include_subscribers: true });
    await goes();
    await returns();
    expect(await sato.ok(getSubscriptions, { include_subscribers: true })).toEqual(before);
    await eg.visitor(server).ok(fetchApiKey, { username: 'sato@example.com', password: eg.password });
  });

  it('is told to everyone, and to those who see the streams that a subscriber came', async () => {
    const { server, goes, returns } = await administrating();
    await goes();
    const queues = await Promise.all(['tanaka', 'suzuki', 'ito'].map((name) => queueOf(eg.signIn(server, name))));
    await returns();
    const user_id = server.user('sato');
    const comes = (stream: string) => ({
      id: expect.any(Number),
      type: 'subscription',
      op: 'peer_add',
      stream_ids: [server.stream(stream)],
      user_ids: [user_id],
    });
    const person = { user_id, is_active: true };
    const comesForAll = { id: expect.any(Number), type: 'realm_user', op: 'update', person };
    expect(await Promise.all(queues.map((queue) => queue.take()))).toEqual([
      [comesForAll, comes(eg.general), comes(eg.personnel)],
      [comesForAll, comes(eg.general)],
      [comesForAll],
    ]);
  });

  it('goes on with a new registration, never with a queue from before', async () => {
    const { sato, says, goes, returns } = await administrating();
    const old = await queueOf(sato);
    await goes();
    await returns();
    expect(await old.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    const queue = await queueOf(sato);
    await says('お帰り');
    expect(await queue.take()).toMatchObject([{ type: 'message', message: { content: 'お帰り' } }]);
  });

  it('[R6.1] shows what was said in between only where a history is shared, and counts none of it', async () => {
    const { server, sato, says, goes, returns } = await administrating();
    const before = await says('前', eg.personnel);
    await says('前');
    await goes();
    await says('留守', eg.personnel);
    await says('留守');
    await returns();
    const after = await says('後', eg.personnel);
    await says('後');
    expect(await read(sato, eg.personnel)).toEqual([
      ['前', []],
      ['後', []],
    ]);
    expect(await read(sato, eg.general)).toEqual([
      ['前', []],
      ['留守', ['read', 'historical']],
      ['後', []],
    ]);
    const { unread_msgs } = await sato.ok(registerQueue, {});
    const personnel = unread_msgs?.streams.find(({ stream_id }) => stream_id === server.stream(eg.personnel));
    expect(personnel?.unread_message_ids).toEqual([before.id, after.id]);
    expect(unread_msgs?.count).toBe(4);
  });

  it('of one who is active changes nothing and is told to nobody', async () => {
    const { server, tanaka, returns } = await administrating();
    const queue = await queueOf(eg.signIn(server, 'ito'));
    await returns();
    expect(await queue.take()).toEqual([]);
    expect(await tanaka.ok(getUser, { user_id: server.user('sato') })).toMatchObject({ user: { is_active: true } });
  });
});

describe.each([
  ['DELETE', deactivateUser],
  ['POST', reactivateUser],
] as const)('%s', (_, call) => {
  it('[R6.3] is for administrators', async () => {
    const server = await eg.server();
    for (const name of ['suzuki', 'takahashi']) {
      const refusal = await eg.signIn(server, name).refused(call, { user_id: server.user('ito') });
      expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Insufficient permission' });
    }
  });

  it('says where there is no such user', async () => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const none = { status: 400, code: 'BAD_REQUEST', msg: 'No such user' };
    expect(await tanaka.refused(call, { user_id: 987_654 })).toMatchObject(none);
  });
});

it('deactivating one who is not active any more says so', async () => {
  const { server, tanaka, goes } = await administrating();
  await goes();
  const refusal = await tanaka.refused(deactivateUser, { user_id: server.user('sato') });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'User is deactivated' });
});
