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

const { nameInNetwork, name: wholeName, network, device } = api.signInLimits;
const tanaka = 'tanaka@example.com';
const sato = 'sato@example.com';
const office = '198.51.100.1';
const home = '203.0.113.9';

/** The network address of a caller and, if the member has signed in there before, the known device. */
interface Origin {
  readonly address: string;
  readonly knownDevice?: string;
}

async function setup() {
  const server = await eg.server();
  const attempt = (username: string, password: string, origin: Origin = { address: office }) =>
    eg.visitor(server).raw({ method: 'POST', path: '/fetch_api_key', form: { username, password }, ...origin });
  const right = async (username: string, origin?: Origin) => (await attempt(username, eg.password, origin)).status;
  const wrong = async (username: string, origin?: Origin) => (await attempt(username, 'wrong', origin)).status;
  return { server, attempt, right, wrong };
}

function times(count: number, act: (index: number) => Promise<number>): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => act(index)));
}

const networkNumber = (index: number): Origin => ({ address: `192.0.2.${index}` });

describe('An attacker with one network address', () => {
  it('After five wrong passwords for a name from one network, even the right one is refused there for half an hour', async () => {
    const { server, attempt, right, wrong } = await setup();
    expect(await times(12, () => wrong(tanaka))).toEqual([...Array(5).fill(401), ...Array(7).fill(429)]);
    expect(eg.refusal(await attempt('TANAKA@example.com', eg.password))).toMatchObject({
      status: 429,
      code: 'RATE_LIMIT_HIT',
      msg: 'API usage exceeded rate limit',
      'retry-after': nameInNetwork.seconds,
    });
    await server.clock.jump(nameInNetwork.seconds - 1);
    expect(await right(tanaka)).toBe(429);
    await server.clock.jump(1);
    expect(await right(tanaka)).toBe(200);
  });

  it('Wrong passwords for a name that no user has are limited like those for a user', async () => {
    const { wrong } = await setup();
    expect(await times(7, () => wrong('nobody@example.com'))).toEqual([...Array(5).fill(401), 429, 429]);
  });

  it('After a hundred wrong passwords for any names, a network is refused for ten minutes, but no other network', async () => {
    const { server, right, wrong } = await setup();
    const answers = await times(network.calls, (index) => wrong(`n${index}@example.com`));
    expect(new Set(answers)).toEqual(new Set([401]));
    expect([await wrong('one.more@example.com'), await right(sato)]).toEqual([429, 429]);
    expect(await right(sato, { address: home })).toBe(200);
    await server.clock.jump(network.seconds);
    expect(await right(sato)).toBe(200);
  }, 60_000);

  it('Of many parallel wrong passwords from one network, no more than a hundred are answered as wrong', async () => {
    const { wrong } = await setup();
    const answers = await times(network.calls + 30, (index) => wrong(`n${index}@example.com`));
    expect(answers.filter((status) => status === 401)).toHaveLength(network.calls);
    expect(answers.filter((status) => status === 429)).toHaveLength(30);
  }, 60_000);
});

describe('An attacker with a hundred network addresses', () => {
  it('After fifty wrong passwords for a name from many networks, unknown devices are refused everywhere, and the usual device signs in', async () => {
    const { right, wrong } = await setup();
    const statuses: number[] = [];
    for (let index = 0; index < 100; index += 1) statuses.push(await wrong(tanaka, networkNumber(index)));
    expect(statuses).toEqual([...Array(wholeName.calls).fill(401), ...Array(50).fill(429)]);
    expect(await right(tanaka, { address: home })).toBe(429);
    expect(await right(tanaka, { address: home, knownDevice: 'laptop' })).toBe(200);
    expect(await right(sato, { address: home })).toBe(200);
  });

  it('A new password ends the refusals for the name, in all networks and on the usual device', async () => {
    const { server, right, wrong } = await setup();
    await times(5, () => wrong(tanaka));
    for (let index = 0; index < 50; index += 1) await wrong(tanaka, networkNumber(index));
    const laptop = { address: home, knownDevice: 'laptop' };
    await times(device.calls, () => wrong(tanaka, laptop));
    expect([await right(tanaka), await right(tanaka, laptop)]).toEqual([429, 429]);
    const { accounts } = server.running();
    await accounts.setPassword(server.user('tanaka'), await accounts.hashPassword(eg.password));
    expect([await right(tanaka), await right(tanaka, laptop)]).toEqual([200, 200]);
  });
});

describe('A member in the office of an attacker, behind the same network address', () => {
  it('Five wrong passwords of a colleague do not keep a member from signing in on their usual device, or elsewhere', async () => {
    const { right, wrong } = await setup();
    await times(20, () => wrong(tanaka));
    expect(await right(tanaka, { address: office, knownDevice: 'laptop' })).toBe(200);
    expect(await right(tanaka, { address: home })).toBe(200);
    expect(await right(sato)).toBe(200);
  });

  it('A hundred wrong passwords of a colleague for any names do not keep members from signing in on their usual devices', async () => {
    const { right, wrong } = await setup();
    await times(network.calls + 20, (index) => wrong(`n${index}@example.com`));
    expect(await right(sato, { address: office, knownDevice: 'laptop' })).toBe(200);
  }, 60_000);

  it('A member changes their own password while a colleague tries wrong ones for their name', async () => {
    const { server, wrong } = await setup();
    await times(20, () => wrong(tanaka));
    const change = { current: eg.password, next: 'あたらしい合言葉', kept: undefined, address: office };
    await server.running().accounts.changePassword(server.user('tanaka'), change);
    expect(await wrong(tanaka, { address: office, knownDevice: 'laptop' })).toBe(401);
  });

  it('Wrong passwords on a known device lock only this device, for this member and for half an hour', async () => {
    const { server, right, wrong } = await setup();
    const laptop = { address: office, knownDevice: 'laptop' };
    expect(await times(12, () => wrong(tanaka, laptop))).toEqual([...Array(device.calls).fill(401), 429, 429]);
    expect(await right(tanaka, laptop)).toBe(429);
    expect(await right(sato, laptop)).toBe(200);
    expect(await right(tanaka, { address: office, knownDevice: 'phone' })).toBe(200);
    expect(await right(tanaka)).toBe(200);
    await server.clock.jump(device.seconds);
    expect(await right(tanaka, laptop)).toBe(200);
  });

  it('More right passwords from one network than wrong ones are allowed lock nobody', async () => {
    const { right } = await setup();
    const names = [sato, 'ito@example.com', tanaka];
    // Many members sign in from one office in the morning.
    const answers = await times(network.calls + 20, (index) => right(names[index % names.length] ?? ''));
    expect(new Set(answers)).toEqual(new Set([200]));
  }, 60_000);

  it('Right passwords do not count as wrong ones', async () => {
    const { right, wrong } = await setup();
    await times(4, () => wrong(tanaka));
    await times(6, () => right(tanaka));
    expect([await wrong(tanaka), await right(tanaka)]).toEqual([401, 429]);
  });
});

it('A program that signs in with the right password all the time is slowed, and no other member is', async () => {
  const { server, attempt, right } = await setup();
  for (let index = 0; index < api.signInLimits.right.calls; index += 1) expect(await right(tanaka)).toBe(200);
  expect(eg.refusal(await attempt(tanaka, eg.password))).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': 60 });
  expect(await right(sato)).toBe(200);
  await server.clock.jump(60);
  expect(await right(tanaka)).toBe(200);
}, 60_000);

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
