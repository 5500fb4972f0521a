import {
  deactivateUser,
  getEvents,
  getUser,
  getUsers,
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

const onlyOwner = {
  status: 400,
  code: 'CANNOT_DEACTIVATE_LAST_USER',
  msg: 'Cannot deactivate the only organization owner.',
  is_last_owner: true,
  entity: 'organization owner',
};
const mustBeOwner = { status: 400, code: 'UNAUTHORIZED_PRINCIPAL', msg: 'Must be an organization owner' };

async function administrating() {
  const server = await eg.server();
  const [tanaka, sato] = [eg.signIn(server, 'tanaka'), eg.signIn(server, 'sato')];
  const roleOf = async (name: string) => (await sato.ok(getUser, { user_id: server.user(name) })).user.role;
  return { server, tanaka, sato, roleOf };
}

describe('PATCH /users/{id}', () => {
  it('[R7.6] gives a user another name, which everyone hears', async () => {
    const { server, sato } = await administrating();
    const user_id = server.user('tanaka');
    const queues = [await queueOf(eg.signIn(server, 'takahashi')), await queueOf(eg.signIn(server, 'tanaka'))];
    const deaf = await queueOf(eg.signIn(server, 'ito'), { event_types: ['message'] });
    await sato.ok(updateUser, { user_id, full_name: ' 田中 次郎 ' });
    for (const queue of queues) {
      expect(await queue.take()).toEqual([
        { id: queue.cursor, type: 'realm_user', op: 'update', person: { user_id, full_name: '田中 次郎' } },
      ]);
    }
    expect(await deaf.take()).toEqual([]);
    expect(await sato.ok(getUser, { user_id })).toMatchObject({ user: { full_name: '田中 次郎', role: roles.owner } });
  });

  it('shows the new name on what was said under the old one', async () => {
    const { server, tanaka, sato } = await administrating();
    const queue = await queueOf(sato);
    await tanaka.ok(sendMessage, { type: 'stream', to: eg.general, topic: 't', content: '前' });
    await sato.ok(updateUser, { user_id: server.user('tanaka'), full_name: '田中 次郎' });
    expect(await queue.take()).toMatchObject([{ message: { sender_full_name: '田中 次郎' } }, { type: 'realm_user' }]);
  });

  it('[R6.3] gives a user another role, which everyone else hears', async () => {
    const { server, sato, roleOf } = await administrating();
    const queue = await queueOf(eg.signIn(server, 'takahashi'));
    const user_id = server.user('suzuki');
    await sato.ok(updateUser, { user_id, role: roles.administrator });
    expect(await queue.take()).toEqual([
      {
        id: queue.cursor,
        type: 'realm_user',
        op: 'update',
        person: { user_id, role: roles.administrator, is_owner: false, is_admin: true, is_guest: false },
      },
    ]);
    expect(await roleOf('suzuki')).toBe(roles.administrator);
    await eg.signIn(server, 'suzuki').ok(updateUser, { user_id, full_name: '鈴木 三郎' });
  });

  it('with another role ends the user’s queues and the polls that wait, and nobody else’s', async () => {
    const { server, sato } = await administrating();
    const suzuki = eg.signIn(server, 'suzuki');
    const { id: queue_id, cursor: last_event_id } = await queueOf(suzuki);
    const [idle, others] = [await queueOf(suzuki), await queueOf(sato)];
    const waiting = suzuki.refused(getEvents, { queue_id, last_event_id });
    await settled();
    await sato.ok(updateUser, { user_id: server.user('suzuki'), role: roles.guest });
    expect(await waiting).toMatchObject({ status: 400, code: 'BAD_EVENT_QUEUE_ID', queue_id });
    expect(await idle.refused()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id: idle.id });
    expect(await others.take()).toMatchObject([{ type: 'realm_user' }]);
    expect(await suzuki.ok(registerQueue, {})).toMatchObject({ is_guest: true });
  });

  it('with another role is what a queue begins with that is registered in the same turn', async () => {
    const { server, sato } = await administrating();
    const changing = sato.ok(updateUser, { user_id: server.user('suzuki'), role: roles.administrator });
    const registered = await eg.signIn(server, 'suzuki').ok(registerQueue, {});
    await changing;
    const { queue_id, last_event_id, is_admin } = registered;
    const { events } = await eg.signIn(server, 'suzuki').ok(getEvents, { queue_id, last_event_id, dont_block: true });
    expect({ is_admin, events }).toEqual({ is_admin: true, events: [] });
  });

  it('with another name alone leaves the user’s queues as they are', async () => {
    const { server, sato } = await administrating();
    const queue = await queueOf(eg.signIn(server, 'suzuki'));
    await sato.ok(updateUser, { user_id: server.user('suzuki'), full_name: '鈴木 三郎' });
    expect(await queue.take()).toMatchObject([{ type: 'realm_user' }]);
  });

  it('tells nobody of what was so before, and ends nothing', async () => {
    const { server, sato } = await administrating();
    const queue = await queueOf(eg.signIn(server, 'suzuki'));
    const user_id = server.user('suzuki');
    await sato.ok(updateUser, { user_id, full_name: '鈴木 一郎', role: roles.member });
    await sato.ok(updateUser, { user_id });
    expect(await queue.take()).toEqual([]);
  });

  it('changes all that it says or nothing', async () => {
    const { server, sato, roleOf } = await administrating();
    const user_id = server.user('suzuki');
    const refusal = await sato.refused(updateUser, { user_id, role: roles.guest, full_name: '鈴' });
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST', msg: 'Name too short!' });
    const both = { user_id, role: roles.owner, full_name: '鈴木 三郎' };
    expect(await sato.refused(updateUser, both)).toMatchObject(mustBeOwner);
    expect(await roleOf('suzuki')).toBe(roles.member);
    expect(await sato.ok(getUser, { user_id })).toMatchObject({ user: { full_name: '鈴木 一郎' } });
  });

  it('[R6.3] lets only an owner make owners and unmake them', async () => {
    const { server, tanaka, sato, roleOf } = await administrating();
    const [owner, suzuki] = [server.user('tanaka'), server.user('suzuki')];
    expect(await sato.refused(updateUser, { user_id: suzuki, role: roles.owner })).toMatchObject(mustBeOwner);
    expect(await sato.refused(updateUser, { user_id: owner, role: roles.member })).toMatchObject(mustBeOwner);
    await tanaka.ok(updateUser, { user_id: suzuki, role: roles.owner });
    await eg.signIn(server, 'suzuki').ok(updateUser, { user_id: owner, role: roles.member });
    expect([await roleOf('tanaka'), await roleOf('suzuki')]).toEqual([roles.member, roles.owner]);
  });

  it('never takes the last active owner’s role', async () => {
    const { server, tanaka } = await administrating();
    const [user_id, suzuki] = [server.user('tanaka'), server.user('suzuki')];
    expect(await tanaka.refused(updateUser, { user_id, role: roles.member })).toMatchObject(onlyOwner);
    await tanaka.ok(updateUser, { user_id: suzuki, role: roles.owner });
    await tanaka.ok(deactivateUser, { user_id: suzuki });
    expect(await tanaka.refused(updateUser, { user_id, role: roles.member })).toMatchObject(onlyOwner);
    await tanaka.ok(reactivateUser, { user_id: suzuki });
    await tanaka.ok(updateUser, { user_id, role: roles.member });
  });

  it('leaves an owner where two take the role from each other at once', async () => {
    const { server, tanaka } = await administrating();
    await tanaka.ok(updateUser, { user_id: server.user('suzuki'), role: roles.owner });
    const each = [
      { method: 'PATCH', path: `/users/${server.user('suzuki')}`, query: { role: '400' } },
      { method: 'PATCH', path: `/users/${server.user('tanaka')}`, query: { role: '400' } },
    ];
    const replies = await Promise.all([tanaka.raw(each[0] ?? {}), eg.signIn(server, 'suzuki').raw(each[1] ?? {})]);
    expect(replies.map(({ status }) => status)).toEqual([200, 400]);
    const { members } = await tanaka.ok(getUsers, {});
    expect(members.filter(({ is_owner }) => is_owner)).toMatchObject([{ user_id: server.user('tanaka') }]);
  });

  it.each(['suzuki', 'takahashi'])('[R6.3] is for administrators: not for %s, of themselves neither', async (name) => {
    const { server } = await administrating();
    for (const user_id of [server.user('ito'), server.user(name)]) {
      const refusal = await eg.signIn(server, name).refused(updateUser, { user_id, role: roles.administrator });
      expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Insufficient permission' });
    }
  });

  it.each([
    ['No such user', 987_654, {}],
    ['Invalid role', undefined, { role: '250' }],
    ['Argument "role" is not valid JSON.', undefined, { role: 'admin' }],
    ['Invalid characters in name!', undefined, { full_name: '鈴木|7' }],
  ])('is refused with “%s”', async (msg, unknown, query) => {
    const { server, sato } = await administrating();
    const path = `/users/${unknown ?? server.user('suzuki')}`;
    const refusal = eg.refusal(await sato.raw({ method: 'PATCH', path, query }));
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  });
});
