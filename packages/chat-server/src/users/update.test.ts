import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';

const onlyOwner = {
  status: 400,
  code: 'CANNOT_DEACTIVATE_LAST_USER',
  msg: 'Cannot deactivate the only organization owner.',
  is_last_owner: true,
  entity: 'organization owner',
};
const mustBeOwner = { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' };

async function setup() {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const roleOf = async (name: string) => (await sato.ok(api.getUser, { user_id: server.user(name) })).user.role;
  return { server, tanaka, sato, roleOf };
}

it('[R7.6] When an administrator renames a user, everyone gets an event', async () => {
  const { server, sato } = await setup();
  const user_id = server.user('tanaka');
  const queues = [await queueOf(eg.signIn(server, 'takahashi')), await queueOf(eg.signIn(server, 'tanaka'))];
  const messagesOnly = await queueOf(eg.signIn(server, 'ito'), { event_types: ['message'] });
  await sato.ok(api.updateUser, { user_id, full_name: ' 田中 次郎 ' });
  for (const queue of queues) {
    expect(await queue.take()).toEqual([
      { id: queue.cursor, type: 'realm_user', op: 'update', person: { user_id, full_name: '田中 次郎' } },
    ]);
  }
  expect(await messagesOnly.take()).toEqual([]);
  expect(await sato.ok(api.getUser, { user_id })).toMatchObject({ user: { full_name: '田中 次郎', role: api.roles.owner } });
});

it('After a user was renamed, their earlier messages have the new name', async () => {
  const { server, tanaka, sato } = await setup();
  const queue = await queueOf(sato);
  await tanaka.ok(api.sendMessage, { type: 'stream', to: eg.general, topic: 't', content: '前' });
  await sato.ok(api.updateUser, { user_id: server.user('tanaka'), full_name: '田中 次郎' });
  expect(await queue.take()).toMatchObject([{ message: { sender_full_name: '田中 次郎' } }, { type: 'realm_user' }]);
});

it('[R6.3] When an administrator changes the role of a user, everyone else gets an event', async () => {
  const { server, sato, roleOf } = await setup();
  const queue = await queueOf(eg.signIn(server, 'takahashi'));
  const user_id = server.user('suzuki');
  await sato.ok(api.updateUser, { user_id, role: api.roles.administrator });
  expect(await queue.take()).toEqual([
    {
      id: queue.cursor,
      type: 'realm_user',
      op: 'update',
      person: { user_id, role: api.roles.administrator, is_owner: false, is_admin: true, is_guest: false },
    },
  ]);
  expect(await roleOf('suzuki')).toBe(api.roles.administrator);
  await eg.signIn(server, 'suzuki').ok(api.updateUser, { user_id, full_name: '鈴木 三郎' });
});

it('When a user’s role changes, the server ends the queues and polls of this user only', async () => {
  const { server, sato } = await setup();
  const suzuki = eg.signIn(server, 'suzuki');
  const { id: queue_id, cursor: last_event_id } = await queueOf(suzuki);
  const [idle, others] = [await queueOf(suzuki), await queueOf(sato, { event_types: ['realm_user'] })];
  const waiting = suzuki.refused(api.getEvents, { queue_id, last_event_id });
  await settled();
  await sato.ok(api.updateUser, { user_id: server.user('suzuki'), role: api.roles.guest });
  expect(await waiting).toMatchObject({ status: 400, code: 'BAD_EVENT_QUEUE_ID', queue_id });
  expect(await idle.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: idle.id });
  expect(await others.take()).toMatchObject([{ type: 'realm_user' }]);
  expect(await suzuki.ok(api.registerQueue, {})).toMatchObject({ is_guest: true });
});

it('POST /register of a user whose role change arrived just before the call has the new role', async () => {
  const { server, sato } = await setup();
  const changing = sato.ok(api.updateUser, { user_id: server.user('suzuki'), role: api.roles.administrator });
  const registered = await eg.signIn(server, 'suzuki').ok(api.registerQueue, {});
  await changing;
  const { queue_id, last_event_id, is_admin } = registered;
  const { events } = await eg.signIn(server, 'suzuki').ok(api.getEvents, { queue_id, last_event_id, dont_block: true });
  expect({ is_admin, events }).toEqual({ is_admin: true, events: [] });
});

it('The queues of a user continue after the user was renamed', async () => {
  const { server, sato } = await setup();
  const queue = await queueOf(eg.signIn(server, 'suzuki'));
  await sato.ok(api.updateUser, { user_id: server.user('suzuki'), full_name: '鈴木 三郎' });
  expect(await queue.take()).toMatchObject([{ type: 'realm_user' }]);
});

it('PATCH /users/{id} with the values that a user already has publishes no event and ends no queues', async () => {
  const { server, sato } = await setup();
  const queue = await queueOf(eg.signIn(server, 'suzuki'));
  const user_id = server.user('suzuki');
  await sato.ok(api.updateUser, { user_id, full_name: '鈴木 一郎', role: api.roles.member });
  await sato.ok(api.updateUser, { user_id });
  expect(await queue.take()).toEqual([]);
});

it('If PATCH /users/{id} refuses one of two changes, it makes neither', async () => {
  const { server, sato, roleOf } = await setup();
  const user_id = server.user('suzuki');
  const refusal = await sato.refused(api.updateUser, { user_id, role: api.roles.guest, full_name: '鈴' });
  expect(refusal).toMatchObject({ code: 'BAD_REQUEST', msg: 'Name too short!' });
  const both = { user_id, role: api.roles.owner, full_name: '鈴木 三郎' };
  expect(await sato.refused(api.updateUser, both)).toMatchObject(mustBeOwner);
  expect(await roleOf('suzuki')).toBe(api.roles.member);
  expect(await sato.ok(api.getUser, { user_id })).toMatchObject({ user: { full_name: '鈴木 一郎' } });
});

it('[R6.3] Only owners appoint and demote owners', async () => {
  const { server, tanaka, sato, roleOf } = await setup();
  const [owner, suzuki] = [server.user('tanaka'), server.user('suzuki')];
  expect(await sato.refused(api.updateUser, { user_id: suzuki, role: api.roles.owner })).toMatchObject(mustBeOwner);
  expect(await sato.refused(api.updateUser, { user_id: owner, role: api.roles.member })).toMatchObject(mustBeOwner);
  await tanaka.ok(api.updateUser, { user_id: suzuki, role: api.roles.owner });
  await eg.signIn(server, 'suzuki').ok(api.updateUser, { user_id: owner, role: api.roles.member });
  expect([await roleOf('tanaka'), await roleOf('suzuki')]).toEqual([api.roles.member, api.roles.owner]);
});

it('PATCH /users/{id} refuses to demote the last active owner', async () => {
  const { server, tanaka } = await setup();
  const [user_id, suzuki] = [server.user('tanaka'), server.user('suzuki')];
  expect(await tanaka.refused(api.updateUser, { user_id, role: api.roles.member })).toMatchObject(onlyOwner);
  await tanaka.ok(api.updateUser, { user_id: suzuki, role: api.roles.owner });
  await tanaka.ok(api.deactivateUser, { user_id: suzuki });
  expect(await tanaka.refused(api.updateUser, { user_id, role: api.roles.member })).toMatchObject(onlyOwner);
  await tanaka.ok(api.reactivateUser, { user_id: suzuki });
  await tanaka.ok(api.updateUser, { user_id, role: api.roles.member });
});

it('If two owners demote each other at the same time, one of them stays owner', async () => {
  const { server, tanaka } = await setup();
  await tanaka.ok(api.updateUser, { user_id: server.user('suzuki'), role: api.roles.owner });
  const each = [
    { method: 'PATCH', path: `/users/${server.user('suzuki')}`, query: { role: '400' } },
    { method: 'PATCH', path: `/users/${server.user('tanaka')}`, query: { role: '400' } },
  ];
  const replies = await Promise.all([tanaka.raw(each[0] ?? {}), eg.signIn(server, 'suzuki').raw(each[1] ?? {})]);
  expect(replies.map(({ status }) => status)).toEqual([200, 400]);
  const { members } = await tanaka.ok(api.getUsers, {});
  expect(members.filter(({ is_owner }) => is_owner)).toMatchObject([{ user_id: server.user('tanaka') }]);
});

it.each(['suzuki', 'takahashi'])(
  '[R6.3] PATCH /users/{id} is refused to %s, who is not an administrator, even for themselves',
  async (name) => {
    const { server } = await setup();
    for (const user_id of [server.user('tanaka'), server.user(name)]) {
      const refusal = await eg.signIn(server, name).refused(api.updateUser, { user_id, role: api.roles.administrator });
      expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Insufficient permission' });
    }
  },
);

it.each([
  ['No such user', 987_654, {}],
  ['Invalid role', undefined, { role: '250' }],
  ['Argument "role" is not valid JSON.', undefined, { role: 'admin' }],
  ['Invalid characters in name!', undefined, { full_name: '鈴木|7' }],
])('PATCH /users/{id} is refused with “%s”', async (msg, unknown, query) => {
  const { server, sato } = await setup();
  const path = `/users/${unknown ?? server.user('suzuki')}`;
  const refusal = eg.refusal(await sato.raw({ method: 'PATCH', path, query }));
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it('setAvatar stores the picture URL of a user and publishes it to everyone', async () => {
  const server = await eg.server();
  const queue = await queueOf(eg.signIn(server, 'sato'));
  const avatar_url = '/pictures/1';
  await server.setAvatar('suzuki', avatar_url);
  const user_id = server.user('suzuki');
  const picture = { avatar_url, avatar_url_medium: avatar_url, avatar_source: 'U', avatar_version: 2 };
  expect(await queue.take()).toMatchObject([{ type: 'realm_user', op: 'update', person: { user_id, ...picture } }]);
  expect(server.running().user(user_id)).toMatchObject({ avatar_url, avatar_version: 2 });
});

it('setAvatar removes the picture of a user, and publishes no event if the user had none', async () => {
  const server = await eg.server();
  const queue = await queueOf(eg.signIn(server, 'sato'));
  await server.setAvatar('suzuki', null);
  await server.setAvatar('suzuki', null);
  const user_id = server.user('suzuki');
  expect(await queue.take()).toMatchObject([{ person: { user_id, avatar_url: null, avatar_source: 'G' } }]);
  expect(server.running().user(user_id)).toMatchObject({ avatar_url: null, avatar_version: 2 });
});

it('setAvatar rejects an unknown user', async () => {
  const chat = (await eg.server()).running();
  await expect(chat.setAvatar(987_654, '/pictures/1')).rejects.toThrow(TypeError);
  expect(chat.user(987_654)).toBeUndefined();
});
