import { createUser, fetchApiKey, getSubscriptions, getUser, registerQueue, roles, updateUser } from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';
import { queueOf } from '../testing/queue.ts';
import { stopTaskTime } from '../testing/taskTime.ts';

const yamada = { email: 'yamada@example.com', password: 'engawa-no-ki', full_name: ' 山田 葵 ' };

const mustBeAdministrator = {
  status: 400,
  code: 'UNAUTHORIZED_PRINCIPAL',
  msg: 'Must be an organization administrator',
};

it('[R7.6] POST /users creates a member who can sign in and has no subscriptions', async () => {
  const server = await eg.server();
  const sato = eg.signIn(server, 'sato');
  const { user_id = 0 } = await sato.ok(createUser, yamada);
  expect(await sato.ok(getUser, { user_id })).toEqual({
    user: expect.objectContaining({
      user_id,
      email: 'yamada@example.com',
      full_name: '山田 葵',
      role: roles.member,
      is_active: true,
      date_joined: '2026-11-20T00:00:00.000Z',
      avatar_url: null,
    }),
  });
  const username = 'Yamada@example.com';
  const { api_key, email } = await eg.visitor(server).ok(fetchApiKey, { username, password: yamada.password });
  expect(await eg.withKey(server, email, api_key).ok(getSubscriptions, {})).toEqual({ subscriptions: [] });
});

it('POST /users sends everyone except guests an event with the user as they are when the event is delivered', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  const queue = await queueOf(eg.signIn(server, 'suzuki'), { event_types: ['realm_user'] });
  const guest = await queueOf(eg.signIn(server, 'takahashi'));
  const other = await queueOf(eg.signIn(server, 'ito'), { event_types: ['message'] });
  const { user_id = 0 } = await tanaka.ok(createUser, yamada);
  await tanaka.ok(updateUser, { user_id, full_name: '山田 あおい' });
  const [added, renamed] = await queue.take();
  const { user } = await tanaka.ok(getUser, { user_id });
  expect(added).toEqual({ id: expect.any(Number), type: 'realm_user', op: 'add', person: user });
  expect(renamed).toMatchObject({ op: 'update', person: { user_id, full_name: '山田 あおい' } });
  expect(await other.take()).toEqual([]);
  expect(await guest.take()).toEqual([]);
  const { realm_users } = await tanaka.ok(registerQueue, {});
  expect(realm_users?.map(({ full_name }) => full_name)).toContain('山田 あおい');
});

it.each(['suzuki', 'takahashi'])('[R6.3] POST /users is refused to %s, who is not an administrator', async (name) => {
  const server = await eg.server();
  const client = eg.signIn(server, name);
  expect(await client.refused(createUser, yamada)).toMatchObject(mustBeAdministrator);
  // The role is checked before the parameters.
  const wrong = { ...yamada, email: 'sato@example.com', password: '' };
  expect(await client.refused(createUser, wrong)).toMatchObject(mustBeAdministrator);
});

it('POST /users is refused to an administrator who is demoted while the server hashes the new user’s password', async () => {
  stopTaskTime();
  const server = await eg.server();
  const creating = eg.signIn(server, 'sato').refused(createUser, yamada);
  await eg.signIn(server, 'tanaka').ok(updateUser, { user_id: server.user('sato'), role: roles.member });
  expect(await creating).toMatchObject(mustBeAdministrator);
});

it.each([
  ['Bad name or username', { email: 'yamada' }],
  ['Bad name or username', { email: 'yama:da@example.com' }],
  ['Bad name or username', { email: '山田@example.com' }],
  ["Email 'SATO@example.com' already in use", { email: ' SATO@example.com ' }],
  ['email is too long (limit: 320 characters)', { email: `${'x'.repeat(320)}@example.com` }],
  ['The password is too weak.', { password: '七文字の合言葉' }],
  ['password is too long (limit: 1000 characters)', { password: 'x'.repeat(1001) }],
  ['Name too short!', { full_name: ' 葵 ' }],
  ['Name too long!', { full_name: '葵'.repeat(101) }],
  ...['山*葵', '山`葵', '山\\葵', '山>葵', '山"葵', '山@葵', '山\n葵', '山\u202e葵', '山葵|7'].map(
    (full_name): [string, Partial<typeof yamada>] => ['Invalid characters in name!', { full_name }],
  ),
])('POST /users answers “%s” to %j', async (msg, wrong) => {
  const server = await eg.server();
  const refusal = await eg.signIn(server, 'sato').refused(createUser, { ...yamada, ...wrong });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
});

it.each(['email', 'password', 'full_name'])('POST /users requires the parameter %s', async (missing) => {
  const sato = eg.signIn(await eg.server(), 'sato');
  const { [missing]: _, ...form }: Record<string, string> = yamada;
  const refusal = eg.refusal(await sato.raw({ method: 'POST', path: '/users', form }));
  expect(refusal).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: missing });
});

it('The length limit of a member’s name counts characters, not UTF-16 units', async () => {
  const server = await eg.server();
  const full_name = '𠮷'.repeat(100);
  const { user_id = 0 } = await eg.signIn(server, 'sato').ok(createUser, { ...yamada, full_name });
  expect(await eg.signIn(server, 'ito').ok(getUser, { user_id })).toMatchObject({ user: { full_name } });
});

it('Two simultaneous calls of POST /users with the same email create only one user', async () => {
  const server = await eg.server();
  const sato = eg.signIn(server, 'sato');
  const form = { ...yamada };
  const replies = await Promise.all([1, 2].map(() => sato.raw({ method: 'POST', path: '/users', form })));
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
});
