import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const deactivated = { status: 401, code: 'USER_DEACTIVATED', msg: 'Account is deactivated' };

async function setup() {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const user_id = server.user('sato');
  return {
    server,
    tanaka,
    sato,
    send: (content: string, to?: string) => tanaka.ok(api.sendMessage, eg.streamMessage(content, to)),
    deactivate: () => tanaka.ok(api.deactivateUser, { user_id }),
    reactivate: () => tanaka.ok(api.reactivateUser, { user_id }),
  };
}

/** The messages of a stream that a member finds, with their flags. */
async function messagesIn(client: eg.Client, stream: string) {
  const narrow = [['stream', stream] as [string, string]];
  const { messages } = await client.ok(api.getMessages, { anchor: 'oldest', num_before: 0, num_after: 9, narrow });
  return messages.map(({ content, flags }) => [content.replaceAll(/<.*?>/g, ''), flags]);
}

it('[R7.6] The server refuses every call, waiting poll and sign-in of a deactivated member', async () => {
  const { server, sato, deactivate } = await setup();
  const { id: queue_id, cursor: last_event_id } = await queueOf(sato);
  const waiting = sato.refused(api.getEvents, { queue_id, last_event_id });
  await settled();
  await deactivate();
  expect(await waiting).toMatchObject(deactivated);
  expect(await sato.refused(api.getOwnUser, {})).toMatchObject(deactivated);
  expect(await sato.refused(api.sendMessage, eg.streamMessage('まだ'))).toMatchObject(deactivated);
  const signingIn = { username: 'sato@example.com', password: eg.password };
  expect(await eg.visitor(server).refused(api.fetchApiKey, signingIn)).toMatchObject(deactivated);
});

it('When a member is deactivated, everyone gets an event, and those who see the member’s streams also get peer_remove', async () => {
  const { server, tanaka, deactivate } = await setup();
  const queues = await Promise.all(
    ['tanaka', 'suzuki', 'ito'].map((name) => queueOf(eg.signIn(server, name), { event_types: ['realm_user', 'subscription'] })),
  );
  const messagesOnly = await queueOf(tanaka, { event_types: ['message'] });
  await deactivate();
  const user_id = server.user('sato');
  const removalFrom = (stream: string) => ({
    id: expect.any(Number),
    type: 'subscription',
    op: 'peer_remove',
    stream_ids: [server.stream(stream)],
    user_ids: [user_id],
  });
  const person = { user_id, is_active: false };
  const userEvent = { id: expect.any(Number), type: 'realm_user', op: 'update', person };
  expect(await Promise.all(queues.map((queue) => queue.take()))).toEqual([
    [removalFrom(eg.general), removalFrom(eg.personnel), userEvent],
    [removalFrom(eg.general), userEvent],
    [userEvent],
  ]);
  expect(await messagesOnly.take()).toEqual([]);
});

it('User lists contain a deactivated member as inactive, but subscriber lists do not contain them', async () => {
  const { server, tanaka, deactivate } = await setup();
  await deactivate();
  const user_id = server.user('sato');
  expect(await tanaka.ok(api.getUser, { user_id })).toMatchObject({ user: { is_active: false } });
  const { realm_users, realm_non_active_users } = await tanaka.ok(api.registerQueue, {});
  expect(realm_users?.map((user) => user.user_id)).not.toContain(user_id);
  expect(realm_non_active_users).toMatchObject([{ user_id }]);
  const { subscriptions } = await tanaka.ok(api.getSubscriptions, { include_subscribers: true });
  expect(subscriptions.flatMap(({ subscribers = [] }) => subscribers)).not.toContain(user_id);
});

it('POST /register is refused to a member whose deactivation arrived just before the call', async () => {
  const { sato, deactivate } = await setup();
  const deactivating = deactivate();
  expect(await sato.refused(api.registerQueue, {})).toMatchObject(deactivated);
  await deactivating;
});

it('The deactivation of a member does not end the queues of other members', async () => {
  const { tanaka, deactivate } = await setup();
  const { id: queue_id, cursor: last_event_id } = await queueOf(tanaka, { event_types: ['message'] });
  await deactivate();
  expect(await tanaka.ok(api.getEvents, { queue_id, last_event_id, dont_block: true })).toMatchObject({ events: [] });
});

it('[R6.3] Only owners can deactivate an owner, and nobody can deactivate the last owner', async () => {
  const { server, tanaka, sato } = await setup();
  const [user_id, suzuki] = [server.user('tanaka'), server.user('suzuki')];
  const mustBeOwner = { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' };
  expect(await sato.refused(api.deactivateUser, { user_id })).toMatchObject(mustBeOwner);
  expect(await tanaka.refused(api.deactivateUser, { user_id })).toMatchObject({
    status: 400,
    code: 'CANNOT_DEACTIVATE_LAST_USER',
    msg: 'Cannot deactivate the only organization owner.',
    is_last_owner: true,
    entity: 'organization owner',
  });
  await tanaka.ok(api.updateUser, { user_id: suzuki, role: api.roles.owner });
  await tanaka.ok(api.deactivateUser, { user_id });
  expect(await sato.refused(api.reactivateUser, { user_id })).toMatchObject(mustBeOwner);
  await eg.signIn(server, 'suzuki').ok(api.reactivateUser, { user_id });
});

it('[R7.6] After a reactivation the member’s API key, password and subscriptions work as before', async () => {
  const { server, sato, deactivate, reactivate } = await setup();
  const before = await sato.ok(api.getSubscriptions, { include_subscribers: true });
  await deactivate();
  await reactivate();
  expect(await sato.ok(api.getSubscriptions, { include_subscribers: true })).toEqual(before);
  await eg.visitor(server).ok(api.fetchApiKey, { username: 'sato@example.com', password: eg.password });
});

it('When a member is reactivated, everyone gets an event, and those who see the member’s streams also get peer_add', async () => {
  const { server, deactivate, reactivate } = await setup();
  await deactivate();
  const queues = await Promise.all(
    ['tanaka', 'suzuki', 'ito'].map((name) => queueOf(eg.signIn(server, name), { event_types: ['realm_user', 'subscription'] })),
  );
  await reactivate();
  const user_id = server.user('sato');
  const additionTo = (stream: string) => ({
    id: expect.any(Number),
    type: 'subscription',
    op: 'peer_add',
    stream_ids: [server.stream(stream)],
    user_ids: [user_id],
  });
  const person = { user_id, is_active: true };
  const userEvent = { id: expect.any(Number), type: 'realm_user', op: 'update', person };
  expect(await Promise.all(queues.map((queue) => queue.take()))).toEqual([
    [userEvent, additionTo(eg.general), additionTo(eg.personnel)],
    [userEvent, additionTo(eg.general)],
    [userEvent],
  ]);
});

it('After a reactivation the member’s earlier queues are refused, and a new registration works', async () => {
  const { sato, send, deactivate, reactivate } = await setup();
  const old = await queueOf(sato);
  await deactivate();
  await reactivate();
  expect(await old.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  const queue = await queueOf(sato);
  await send('お帰り');
  expect(await queue.take()).toMatchObject([{ type: 'message', message: { content: 'お帰り' } }]);
});

it('[R6.1] A reactivated member sees messages from while they were inactive only in streams with shared history, and as read', async () => {
  const { server, sato, send, deactivate, reactivate } = await setup();
  const before = await send('前', eg.personnel);
  await send('前');
  await deactivate();
  await send('留守', eg.personnel);
  await send('留守');
  await reactivate();
  const after = await send('後', eg.personnel);
  await send('後');
  expect(await messagesIn(sato, eg.personnel)).toEqual([
    ['前', []],
    ['後', []],
  ]);
  expect(await messagesIn(sato, eg.general)).toEqual([
    ['前', []],
    ['留守', ['read', 'historical']],
    ['後', []],
  ]);
  const { unread_msgs } = await sato.ok(api.registerQueue, {});
  const personnel = unread_msgs?.streams.find(({ stream_id }) => stream_id === server.stream(eg.personnel));
  expect(personnel?.unread_message_ids).toEqual([before.id, after.id]);
  expect(unread_msgs?.count).toBe(4);
});

it('POST /users/{id}/reactivate of an active member changes nothing and publishes no event', async () => {
  const { server, tanaka, reactivate } = await setup();
  const queue = await queueOf(eg.signIn(server, 'ito'));
  await reactivate();
  expect(await queue.take()).toEqual([]);
  expect(await tanaka.ok(api.getUser, { user_id: server.user('sato') })).toMatchObject({ user: { is_active: true } });
});

const calls = [
  ['deactivation', api.deactivateUser],
  ['reactivation', api.reactivateUser],
] as const;

it.each(calls)('[R6.3] The %s of a user is refused to members who are not administrators', async (_, call) => {
  const server = await eg.server();
  const refusal = { status: 400, code: 'BAD_REQUEST', msg: 'Insufficient permission' };
  const refusalTo = (name: string, user: string) => eg.signIn(server, name).refused(call, { user_id: server.user(user) });
  expect(await refusalTo('suzuki', 'ito')).toMatchObject(refusal);
  expect(await refusalTo('takahashi', 'tanaka')).toMatchObject(refusal);
  // A guest who shares no conversation with the user gets the answer for an unknown user.
  expect(await refusalTo('takahashi', 'ito')).toMatchObject({ ...refusal, msg: 'No such user' });
});

it.each(calls)('The %s of an unknown user answers "No such user"', async (_, call) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const none = { status: 400, code: 'BAD_REQUEST', msg: 'No such user' };
  expect(await tanaka.refused(call, { user_id: 987_654 })).toMatchObject(none);
});

it('DELETE /users/{id} of a user who is already deactivated answers "User is deactivated"', async () => {
  const { server, tanaka, deactivate } = await setup();
  await deactivate();
  const refusal = await tanaka.refused(api.deactivateUser, { user_id: server.user('sato') });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'User is deactivated' });
});

it('DELETE /users/me ends the caller’s account and their queues, and administrators can restore it', async () => {
  const server = await eg.server();
  const [suzuki, tanaka] = [eg.signIn(server, 'suzuki'), eg.signIn(server, 'tanaka')];
  await suzuki.ok(api.deactivateOwnUser, {});
  expect(await suzuki.refused(api.getOwnUser, {})).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
  const user_id = server.user('suzuki');
  expect(await tanaka.ok(api.getUser, { user_id })).toMatchObject({ user: { is_active: false } });
  await tanaka.ok(api.reactivateUser, { user_id });
  expect(await suzuki.ok(api.getOwnUser, {})).toMatchObject({ user_id });
});

it('DELETE /users/me is refused to the only owner', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  expect(await tanaka.refused(api.deactivateOwnUser, {})).toMatchObject({ code: 'CANNOT_DEACTIVATE_LAST_USER' });
  expect(await tanaka.ok(api.getOwnUser, {})).toMatchObject({ is_owner: true });
});
