import { deactivateUser, getOwnUser, getUser, getUserByEmail, getUsers, roles, sendMessage } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

it('[R7.6] GET /users lists all members to every member, including deactivated ones', async () => {
  const server = await eg.server();
  await eg.signIn(server, 'tanaka').ok(deactivateUser, { user_id: server.user('suzuki') });
  const { members } = await eg.signIn(server, 'ito').ok(getUsers, { client_gravatar: false });
  expect(members.map(({ full_name, is_active }) => [full_name, is_active])).toEqual([
    ['田中 太郎', true],
    ['佐藤 花子', true],
    ['鈴木 一郎', false],
    ['高橋 恵', true],
    ['伊藤 誠', true],
  ]);
  expect(members[0]).toEqual({
    user_id: server.user('tanaka'),
    email: 'tanaka@example.com',
    delivery_email: 'tanaka@example.com',
    full_name: '田中 太郎',
    date_joined: '2026-04-01T00:00:00.000Z',
    is_active: true,
    role: roles.owner,
    is_owner: true,
    is_admin: true,
    is_guest: false,
    is_billing_admin: false,
    is_bot: false,
    timezone: 'Asia/Tokyo',
    avatar_url: '/avatars/tanaka.png',
    avatar_version: 1,
  });
});

it('[R6.3] GET /users returns roles with the numbers of the Zulip API', async () => {
  const { members } = await eg.signIn(await eg.server(), 'ito').ok(getUsers, {});
  expect(members.map(({ role, is_owner, is_admin, is_guest }) => [role, is_owner, is_admin, is_guest])).toEqual([
    [100, true, true, false],
    [200, false, true, false],
    [400, false, false, false],
    [600, false, false, true],
    [400, false, false, false],
  ]);
});

it('[R7.6] GET /users/{id} returns one user to every member', async () => {
  const server = await eg.server();
  const takahashi = eg.signIn(server, 'takahashi');
  const { members } = await takahashi.ok(getUsers, {});
  const { user } = await takahashi.ok(getUser, { user_id: server.user('sato') });
  expect(user).toEqual(members[1]);
  expect(user).toMatchObject({ email: 'sato@example.com', is_active: true });
});

it('GET /users/{id} answers "No such user" for an unknown user', async () => {
  const ito = eg.signIn(await eg.server(), 'ito');
  expect(await ito.refused(getUser, { user_id: 987_654 })).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'No such user',
  });
});

it('[R7.6] GET /users/me returns the caller with the newest message that they received', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.personnel, topic: 't', content: 'c' });
  await eg.signIn(server, 'suzuki').ok(sendMessage, { type: 'stream', to: eg.board, topic: 't', content: 'c' });
  expect(await tanaka.ok(getOwnUser, {})).toMatchObject({ email: 'tanaka@example.com', max_message_id: id });
});

it('GET /users/me returns -1 as the newest message and as the pointer of a member without messages', async () => {
  const ito = eg.signIn(await eg.server(), 'ito');
  expect(await ito.ok(getOwnUser, {})).toMatchObject({ max_message_id: -1, pointer: -1 });
});

it('GET /users/{email} returns the user with this address, also with an encoded one and in another case', async () => {
  const server = await eg.server();
  const ito = eg.signIn(server, 'ito');
  const { user } = await ito.ok(getUserByEmail, { email: 'Sato@example.com' });
  expect(user).toEqual((await ito.ok(getUser, { user_id: server.user('sato') })).user);
  const { text } = await ito.raw({ path: '/users/sato@example.com' });
  expect(JSON.parse(text)).toMatchObject({ user: { user_id: server.user('sato') } });
});

it.each(['dare@example.com', '%E0%A4%A', 'x'.repeat(321)])('GET /users/{email} refuses the unknown address %s', async (path) => {
  const { status } = await eg.signIn(await eg.server(), 'ito').raw({ path: `/users/${path}` });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
});
