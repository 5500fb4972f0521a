import * as api from '@engawa/protocol';
import { describe, expect, it, vi } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { queries } from '../schema.ts';
import { fakeClock, settled } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { fileOf } from '../testing/membership.ts';
import { queueOf } from '../testing/queue.ts';
import { Passwords, usualPasswordCost } from './password.ts';
import { users } from '../identity/store.ts';

const invalidKey = { status: 401, code: 'INVALID_API_KEY', msg: 'Invalid API key' };
const wrongPassword = {
  result: 'error',
  status: 401,
  code: 'AUTHENTICATION_FAILED',
  msg: 'Your username or password is incorrect',
};

it('[R6.2] [R7.7] fetch_api_key returns a key for an email and a password, and the key signs the member in', async () => {
  const server = await eg.server();
  const visitor = eg.visitor(server);
  const answer = await visitor.ok(api.fetchApiKey, { username: 'Sato@example.com', password: eg.password });
  expect(answer).toEqual({
    api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
    email: 'sato@example.com',
    user_id: server.user('sato'),
  });
  const sato = eg.withKey(server, answer.email, answer.api_key);
  expect(await sato.ok(api.getOwnUser, {})).toMatchObject({ user_id: server.user('sato') });
});

it('If the email address of the member changes during fetch_api_key, the answer has the new address', async () => {
  const server = await eg.server();
  const setup = eg.visitor(server).ok(api.fetchApiKey, { username: 'sato@example.com', password: eg.password });
  await eg.signIn(server, 'sato').ok(api.updateSettings, { email: 'hanako@example.com' });
  const { email, api_key } = await setup;
  expect(email).toBe('hanako@example.com');
  expect(await eg.withKey(server, email, api_key).ok(api.getOwnUser, {})).toMatchObject({ email });
});

it('[R7.7] fetch_api_key refuses the old password if the member changes their password during the call', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const passwords = new Passwords(usualPasswordCost);
  const next = await passwords.hash('あたらしい合言葉');
  // Only two passwords are compared at once, so the sign-in waits. The cost is high enough for slow machines.
  const slowly = new Passwords({ ...usualPasswordCost, passes: 30 });
  const others = [slowly.hash('ひとつめ'), slowly.hash('ふたつめ')];
  const setup = eg.visitor(server).refused(api.fetchApiKey, { username: 'sato@example.com', password: eg.password });
  await settled();
  await database.write((tx) => users.setPassword(tx, server.user('sato'), next));
  expect(await setup).toEqual(wrongPassword);
  await Promise.all(others);
});

it('fetch_api_key has the same error for a wrong password and for an unknown user', async () => {
  const visitor = eg.visitor(await eg.server());
  const wrong = await visitor.refused(api.fetchApiKey, { username: 'sato@example.com', password: 'wrong' });
  const unknown = await visitor.refused(api.fetchApiKey, { username: 'nobody@example.com', password: eg.password });
  expect(wrong).toEqual(wrongPassword);
  expect(unknown).toEqual(wrong);
});

it.each([
  'sato',
  'sato@',
  '@example.com',
  'sato@example@com',
  'sa to@example.com',
  'sa:to@example.com',
  'sato@-.com',
  `${'x'.repeat(320)}@example.com`,
  '',
])('fetch_api_key requires a valid email address: “%s”', async (username) => {
  const visitor = eg.visitor(await eg.server());
  const refusal = await visitor.refused(api.fetchApiKey, { username, password: eg.password });
  expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg: 'Enter a valid email address.' });
});

it.each(['username', 'password'])('fetch_api_key requires the parameter %s', async (missing) => {
  const visitor = eg.visitor(await eg.server());
  const { [missing]: _, ...form }: Record<string, string> = { username: 'sato@example.com', password: eg.password };
  const refusal = eg.refusal(await visitor.raw({ method: 'POST', path: '/fetch_api_key', form }));
  expect(refusal).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING', var_name: missing });
});

it('fetch_api_key says that an account is deactivated only to a caller with the right password', async () => {
  const server = await eg.server();
  await eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id: server.user('sato') });
  const visitor = eg.visitor(server);
  const withPassword = await visitor.refused(api.fetchApiKey, { username: 'sato@example.com', password: eg.password });
  expect(withPassword).toMatchObject({ status: 401, code: 'USER_DEACTIVATED' });
  const withoutPassword = await visitor.refused(api.fetchApiKey, { username: 'sato@example.com', password: 'wrong' });
  expect(withoutPassword).toEqual(wrongPassword);
});

it('By default, the server hashes passwords with the argon2id cost that OWASP recommends', async () => {
  const usual = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
  expect(await usual.accounts.hashPassword('ひみつのことば')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await usual.close();
});

it('The server stores neither passwords nor keys in plain text', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  const rows = JSON.stringify([everyKey(database.reader), everyUser(database.reader)]);
  expect(rows).not.toContain(server.key('sato'));
  expect(rows).not.toContain(eg.password);
  expect(rows).toContain('$argon2id$');
});

const everyKey = queries.rows((query) => query.selectFrom('api_key').selectAll());
const everyUser = queries.rows((query) => query.selectFrom('user').selectAll());

async function setup() {
  const server = await eg.server();
  const visitor = eg.visitor(server);
  const names = { tanaka: 'tanaka@example.com', nobody: 'nobody@example.com' };
  return {
    server,
    names,
    right: (username: string) => visitor.ok(api.fetchApiKey, { username, password: eg.password }),
    /** The password is wrong by default. */
    refused: (username: string, password = 'wrong') => visitor.refused(api.fetchApiKey, { username, password }),
  };
}

const tooMany = {
  status: 429,
  code: 'RATE_LIMIT_HIT',
  msg: 'API usage exceeded rate limit',
  'retry-after': api.failedSignIns.seconds,
};

it('After five wrong passwords for an email address, the server refuses even the right password for half an hour, for this address only', async () => {
  const { server, names, right, refused } = await setup();
  for (let times = 0; times < 5; times += 1) expect(await refused(names.tanaka)).toEqual(wrongPassword);
  expect(await refused(names.tanaka)).toMatchObject(tooMany);
  expect(await refused('TANAKA@example.com', eg.password)).toMatchObject(tooMany);
  await right('sato@example.com');
  await eg.signIn(server, 'tanaka').ok(api.getOwnUser, {});

  await server.clock.jump(api.failedSignIns.seconds - 1);
  expect(await refused(names.tanaka, eg.password)).toMatchObject({ ...tooMany, 'retry-after': 1 });
  await server.clock.jump(1);
  await right(names.tanaka);
});

it('Five wrong passwords lock an email address for sign-in even if no user has this address', async () => {
  const { names, refused } = await setup();
  for (let times = 0; times < 5; times += 1) expect(await refused(names.nobody)).toEqual(wrongPassword);
  expect(await refused(names.nobody)).toMatchObject(tooMany);
});

it('Five wrong passwords lock an email address for sign-in even if all attempts arrive at the same time', async () => {
  const { names, refused } = await setup();
  const refusals = await Promise.all(Array.from({ length: 12 }, () => refused(names.tanaka)));
  expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
});

it('Sign-ins with the right password never lock an email address, however many there are', async () => {
  const { names, right, refused } = await setup();
  for (let times = 0; times < 4; times += 1) await refused(names.tanaka);
  await Promise.all(Array.from({ length: 6 }, () => right(names.tanaka)));
  await right(names.tanaka);
  expect(await refused(names.tanaka)).toEqual(wrongPassword);
  expect(await refused(names.tanaka, eg.password)).toMatchObject(tooMany);
});

function signInFrom(server: eg.Server, address: string, username: string, password: string): Promise<eg.Reply> {
  return eg.visitor(server).raw({ method: 'POST', path: '/fetch_api_key', form: { username, password }, address });
}

describe('A network with a hundred wrong passwords', () => {
  const { calls: most, seconds } = api.failedSignInsByAddress;

  it('After a hundred wrong passwords from one network, the server refuses every sign-in from this network for half an hour, but from no other', async () => {
    const server = await eg.server();
    const wrong = (index: number) => signInFrom(server, '198.51.100.1', `n${index}@example.com`, 'wrong');
    const answers = await Promise.all(Array.from({ length: most }, (_, index) => wrong(index)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await wrong(most)).status).toBe(429);
    const right = (address: string) => signInFrom(server, address, 'sato@example.com', eg.password);
    expect((await right('198.51.100.1')).status).toBe(429);
    expect((await right('198.51.100.2')).status).toBe(200);
    await server.clock.jump(seconds);
    expect((await right('198.51.100.1')).status).toBe(200);
  }, 60_000);

  it('Sign-ins with the right password never lock a network, however many there are', async () => {
    const server = await eg.server();
    const names = ['sato@example.com', 'ito@example.com', 'tanaka@example.com'];
    const emails = Array.from({ length: most + 1 }, (_, index) => names[index % names.length] ?? '');
    // Many members sign in from one office in the morning.
    const answers = await Promise.all(emails.map((name) => signInFrom(server, '198.51.100.1', name, eg.password)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }, 60_000);
});

describe('An API key', () => {
  const lastUsed = queries.rows((query) => query.selectFrom('api_key').select(['user_id', 'last_used']));

  it('The server stores when an API key was last used, in the background and at most every five minutes', async () => {
    const server = await eg.server();
    const { database } = fileOf(server);
    const lastUse = () => lastUsed(database.reader).find((row) => row.user_id === server.user('ito'))?.last_used;
    const ito = eg.signIn(server, 'ito');
    await ito.ok(api.getOwnUser, {});
    const first = server.clock.now() / 1000;
    expect(lastUse()).toBeNull();
    await server.clock.advance(60);
    await vi.waitFor(() => expect(lastUse()).toBe(first));
    await ito.ok(api.getOwnUser, {});
    await server.clock.advance(60);
    await server.clock.advance(180);
    await ito.ok(api.getOwnUser, {});
    const second = server.clock.now() / 1000;
    await server.clock.advance(60);
    await vi.waitFor(() => expect(lastUse()).toBe(second));
  });

  it('The server never reuses the id of an API key, even after all keys were deleted', async () => {
    const server = await eg.server();
    const { database } = fileOf(server);
    const numbers = () => everyKey(database.reader).map(({ id }) => id);
    const before = Math.max(...numbers());
    await eg.signIn(server, 'ito').ok(api.regenerateApiKey, {});
    expect(Math.max(...numbers())).toBe(before + 1);
    const { api_key } = await eg.visitor(server).ok(api.fetchApiKey, { username: 'ito@example.com', password: eg.password });
    await eg.withKey(server, 'ito@example.com', api_key).ok(api.regenerateApiKey, {});
    expect(Math.max(...numbers())).toBe(before + 3);
  });
});

it('A user without a password cannot sign in with an empty one', async () => {
  const server = await eg.server();
  const { database } = fileOf(server);
  await database.write((tx) => users.setPassword(tx, server.user('ito'), ''));
  const visitor = eg.visitor(server);
  for (const password of ['', eg.password]) {
    expect(await visitor.refused(api.fetchApiKey, { username: 'ito@example.com', password })).toEqual(wrongPassword);
  }
});

it('When a member gets a twenty-first API key, the server deletes the oldest key and its event queues, and no other queues', async () => {
  const server = await eg.server();
  const visitor = eg.visitor(server);
  const [ito, sato] = [eg.signIn(server, 'ito'), eg.signIn(server, 'sato')];
  const signInAgain = () => visitor.ok(api.fetchApiKey, { username: 'ito@example.com', password: eg.password });
  const second = await signInAgain();
  const others = await queueOf(eg.withKey(server, second.email, second.api_key));
  const satos = await queueOf(sato);
  for (let times = 0; times < 18; times += 1) await signInAgain();
  const { id: queue_id, cursor: last_event_id } = await queueOf(ito);
  const waiting = ito.refused(api.getEvents, { queue_id, last_event_id });
  const remaining = [others.wait(), satos.wait()];
  await settled();

  await signInAgain();
  expect(await waiting).toMatchObject(invalidKey);
  expect(await ito.refused(api.getOwnUser, {})).toMatchObject(invalidKey);
  await sato.ok(api.getOwnUser, {});
  await server.clock.advance(55);
  expect(await Promise.all(remaining)).toMatchObject([[{ type: 'heartbeat' }], [{ type: 'heartbeat' }]]);
});

it('[R7.6] POST /users/me/api_key/regenerate returns a new key and ends all other keys of the member with their queues and polls', async () => {
  const server = await eg.server();
  const ito = eg.signIn(server, 'ito');
  const second = await eg.visitor(server).ok(api.fetchApiKey, { username: 'ito@example.com', password: eg.password });
  const onSecond = eg.withKey(server, second.email, second.api_key);
  const queues = [await queueOf(ito), await queueOf(onSecond)];
  const polls = [ito, onSecond].map((client, index) =>
    client.refused(api.getEvents, { queue_id: queues[index]?.id ?? '', last_event_id: queues[index]?.cursor ?? 0 }),
  );
  await settled();

  const { api_key } = await onSecond.ok(api.regenerateApiKey, {});
  expect(await Promise.all(polls)).toMatchObject([invalidKey, invalidKey]);
  for (const client of [ito, onSecond]) expect(await client.refused(api.getOwnUser, {})).toMatchObject(invalidKey);
  const renewed = eg.withKey(server, 'ito@example.com', api_key);
  expect(await renewed.ok(api.getOwnUser, {})).toMatchObject({ user_id: server.user('ito') });
  const gone = { queue_id: queues[0]?.id ?? '', last_event_id: 0 };
  expect(await renewed.refused(api.getEvents, gone)).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});

it('POST /users/me/api_key/regenerate does not end the keys and queues of other members', async () => {
  const server = await eg.server();
  const queue = await queueOf(eg.signIn(server, 'sato'));
  await eg.signIn(server, 'ito').ok(api.regenerateApiKey, {});
  expect(await queue.take()).toEqual([]);
});

it('If a member calls POST /users/me/api_key/regenerate twice at once with one key, only one call succeeds', async () => {
  const server = await eg.server();
  const ito = eg.signIn(server, 'ito');
  const first = ito.ok(api.regenerateApiKey, {});
  const second = ito.refused(api.regenerateApiKey, {});
  expect(await second).toMatchObject(invalidKey);
  await eg.withKey(server, 'ito@example.com', (await first).api_key).ok(api.getOwnUser, {});
});
