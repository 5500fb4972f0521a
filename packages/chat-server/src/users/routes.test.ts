import { fetchApiKey, getOwnUser, getUsers, roles, sendMessage } from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { statement } from '../schema.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';

const deactivate = statement<{ id: number }>()((query, value) =>
  query.updateTable('user').set({ is_active: 0 }).where('id', '=', value.id),
);

describe('POST /fetch_api_key', () => {
  it('[R6.2] [R7.7] gives a key for username and password, with which the member is signed in', async () => {
    const server = await eg.server();
    const visitor = eg.visitor(server);
    const answer = await visitor.ok(fetchApiKey, { username: 'Sato@example.com', password: eg.password });
    expect(answer).toEqual({
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      email: 'sato@example.com',
      user_id: server.user('sato'),
    });
    const sato = eg.withKey(server, answer.email, answer.api_key);
    expect(await sato.ok(getOwnUser, {})).toMatchObject({ user_id: server.user('sato') });
  });

  it('does not tell a wrong password from an unknown user', async () => {
    const visitor = eg.visitor(await eg.server());
    const wrong = await visitor.refused(fetchApiKey, { username: 'sato@example.com', password: 'wrong' });
    const unknown = await visitor.refused(fetchApiKey, { username: 'nobody@example.com', password: eg.password });
    expect(wrong).toEqual({
      result: 'error',
      status: 401,
      code: 'AUTHENTICATION_FAILED',
      msg: 'Your username or password is incorrect',
    });
    expect(unknown).toEqual(wrong);
  });

  it.each(['sato', 'sato@', '@example.com', 'sato@example@com', 'sa to@example.com', ''])(
    'asks for a valid address: “%s”',
    async (username) => {
      const visitor = eg.visitor(await eg.server());
      const refusal = await visitor.refused(fetchApiKey, { username, password: eg.password });
      expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Enter a valid email address.' });
    },
  );

  it.each(['username', 'password'])('asks for the %s', async (missing) => {
    const visitor = eg.visitor(await eg.server());
    const { [missing]: _, ...form }: Record<string, string> = { username: 'sato@example.com', password: eg.password };
    const refusal = eg.refusal(await visitor.raw({ method: 'POST', path: '/fetch_api_key', form }));
    expect(refusal).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: missing });
  });

  it('tells only one who knows the password that the account is deactivated', async () => {
    const server = await eg.server();
    const { database } = fileOf(server);
    await database.write((tx) => tx.run(deactivate, { id: server.user('sato') }));
    const visitor = eg.visitor(server);
    const knows = await visitor.refused(fetchApiKey, { username: 'sato@example.com', password: eg.password });
    expect(knows).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
    const guesses = await visitor.refused(fetchApiKey, { username: 'sato@example.com', password: 'wrong' });
    expect(guesses).toMatchObject({ status: 401, code: 'AUTHENTICATION_FAILED' });
  });

  it('keeps a member’s newest twenty keys, and every other member’s', async () => {
    const server = await eg.server();
    const visitor = eg.visitor(server);
    for (let times = 0; times < 19; times += 1) {
      await visitor.ok(fetchApiKey, { username: 'ito@example.com', password: eg.password });
    }
    await eg.signIn(server, 'ito').ok(getOwnUser, {});
    await visitor.ok(fetchApiKey, { username: 'ito@example.com', password: eg.password });
    expect(await eg.signIn(server, 'ito').refused(getOwnUser, {})).toMatchObject({ code: 'INVALID_API_KEY' });
    await eg.signIn(server, 'sato').ok(getOwnUser, {});
  });

  it('keeps no password and no key that could be read in the file', async () => {
    const server = await eg.server();
    const { database } = fileOf(server);
    const rows = JSON.stringify([database.reader.all(everyKey, {}), database.reader.all(everyUser, {})]);
    expect(rows).not.toContain(server.key('sato'));
    expect(rows).not.toContain(eg.password);
    expect(rows).toContain('$argon2id$');
  });
});

const everyKey = statement()((query) => query.selectFrom('api_key').selectAll());
const everyUser = statement()((query) => query.selectFrom('user').selectAll());

describe('GET /users', () => {
  it('[R7.6] shows every member to every member, the deactivated too', async () => {
    const server = await eg.server();
    const { database } = fileOf(server);
    await database.write((tx) => tx.run(deactivate, { id: server.user('suzuki') }));
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

  it('[R6.3] gives the roles the numbers of the chat API', async () => {
    const { members } = await eg.signIn(await eg.server(), 'ito').ok(getUsers, {});
    expect(members.map(({ role, is_owner, is_admin, is_guest }) => [role, is_owner, is_admin, is_guest])).toEqual([
      [100, true, true, false],
      [200, false, true, false],
      [400, false, false, false],
      [600, false, false, true],
      [400, false, false, false],
    ]);
  });
});

describe('GET /users/me', () => {
  it('[R7.6] is the one who asks, with the newest message they received', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    const { id } = await tanaka.ok(sendMessage, { type: 'stream', to: eg.personnel, topic: 't', content: 'c' });
    await eg.signIn(server, 'suzuki').ok(sendMessage, { type: 'stream', to: eg.board, topic: 't', content: 'c' });
    expect(await tanaka.ok(getOwnUser, {})).toMatchObject({ email: 'tanaka@example.com', max_message_id: id });
  });

  it('has no newest message where there is none', async () => {
    const ito = eg.signIn(await eg.server(), 'ito');
    expect(await ito.ok(getOwnUser, {})).toMatchObject({ max_message_id: -1 });
  });
});
