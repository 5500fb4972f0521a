import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { CallCounts, networkOf } from './rateLimits.ts';

const limits = { member: { calls: 3, seconds: 60 }, refusedKey: { calls: 2, seconds: 30 } };
const ownUser: eg.RawRequest = { path: '/users/me' };
const serverSettings: eg.RawRequest = { path: '/server_settings' };

/** The status and the rate limit headers of an answer. */
function limitOf({ status, headers }: eg.Reply) {
  const of = (name: string) => (headers[name] === undefined ? undefined : Number(headers[name]));
  return {
    status,
    limit: of('X-RateLimit-Limit'),
    remaining: of('X-RateLimit-Remaining'),
    reset: of('X-RateLimit-Reset'),
    retryAfter: of('Retry-After'),
  };
}

const nothing = { limit: undefined, remaining: undefined, reset: undefined, retryAfter: undefined };

async function setup() {
  const server = await eg.server({ rateLimits: limits });
  const now = server.clock.now() / 1000;
  return { server, now, tanaka: eg.signIn(server, 'tanaka'), sato: eg.signIn(server, 'sato') };
}

it('The server counts the calls of a member and reports in each answer how many remain until which time', async () => {
  const { server, now, tanaka } = await setup();
  const answer = { ...nothing, status: 200, limit: 3, reset: now + 60 };
  expect(limitOf(await tanaka.raw(ownUser))).toEqual({ ...answer, remaining: 2 });
  await server.clock.jump(10);
  expect(limitOf(await tanaka.raw(ownUser))).toEqual({ ...answer, remaining: 1 });
});

it('The server also counts a call that it refuses, and the error answer reports the remaining calls', async () => {
  const { tanaka } = await setup();
  const malformed = await tanaka.raw({ path: '/messages', query: { num_before: 'abc' } });
  expect(limitOf(malformed)).toMatchObject({ status: 400, limit: 3, remaining: 2 });
  const form = { type: 'telegram', to: '1', content: '1' };
  const refused = await tanaka.raw({ method: 'POST', path: '/messages', form });
  expect(limitOf(refused)).toMatchObject({ status: 400, limit: 3, remaining: 1 });
});

it('A call over the member’s rate limit is not executed, and the error answer says how long to wait', async () => {
  const { server, now, tanaka } = await setup();
  const message = { type: 'stream', to: eg.general, topic: 't', content: '一' };
  for (let calls = 0; calls < 3; calls += 1) await tanaka.ok(api.sendMessage, message);
  await server.clock.jump(1.5);
  const reply = await tanaka.raw({ method: 'POST', path: '/messages', form: message });
  expect(limitOf(reply)).toEqual({ status: 429, limit: 3, remaining: 0, reset: now + 60, retryAfter: 59 });
  expect(eg.refusal(reply)).toEqual({
    result: 'error',
    status: 429,
    code: 'RATE_LIMIT_HIT',
    msg: 'API usage exceeded rate limit',
    'retry-after': 58.5,
  });
  await server.clock.jump(60);
  expect(await tanaka.ok(api.getOwnUser, {})).toMatchObject({ max_message_id: server.messages.length + 3 });
});

it('A member can make calls again when the time of the rate limit is over, however many calls were refused before', async () => {
  const { server, now, tanaka } = await setup();
  for (let calls = 0; calls < 10; calls += 1) await tanaka.raw(ownUser);
  await server.clock.jump(59);
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 429, retryAfter: 1 });
  await server.clock.jump(1);
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 200, remaining: 2, reset: now + 120 });
});

it('The rate limit counts the calls of one member together, from all network addresses and with all keys', async () => {
  const { server, tanaka, sato } = await setup();
  for (let calls = 0; calls < 3; calls += 1) await tanaka.raw({ ...ownUser, address: `192.0.2.${calls}` });
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 429 });
  expect(limitOf(await sato.raw(ownUser))).toMatchObject({ status: 200, remaining: 2 });
  const { api_key } = await eg.visitor(server).ok(api.fetchApiKey, {
    username: eg.emailOf('tanaka'),
    password: eg.password,
  });
  expect(limitOf(await eg.withKey(server, eg.emailOf('tanaka'), api_key).raw(ownUser))).toMatchObject({ status: 429 });
});

it('The rate limit does not count GET /events', async () => {
  const { tanaka } = await setup();
  const queue = await tanaka.ok(api.registerQueue, {});
  for (let polls = 0; polls < 10; polls += 1) await tanaka.ok(api.getEvents, { ...queue, dont_block: true });
  const { queue_id, last_event_id } = queue;
  const query = { queue_id, last_event_id: String(last_event_id), dont_block: 'true' };
  expect(limitOf(await tanaka.raw({ path: '/events', query }))).toEqual({ ...nothing, status: 200 });
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ remaining: 1 });
});

it('The rate limit of a member does not count requests for unknown paths and methods', async () => {
  const { tanaka } = await setup();
  expect(limitOf(await tanaka.raw({ path: '/nothing' }))).toEqual({ ...nothing, status: 404 });
  expect(limitOf(await tanaka.raw({ method: 'PUT', path: '/messages' }))).toEqual({ ...nothing, status: 405 });
  expect(limitOf(await tanaka.raw({ method: 'OPTIONS', path: '/messages' }))).toEqual({ ...nothing, status: 204 });
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ remaining: 2 });
});

const withKey = (key: string, path = '/users/me'): eg.RawRequest => ({
  path,
  headers: { authorization: eg.basic(eg.emailOf('tanaka'), key) },
});

it.each(['/users/me', '/events'])(
  'The server counts calls with a refused key for this key, and answers 429 after the limit: GET %s',
  async (path) => {
    const { server, now } = await setup();
    const visitor = eg.visitor(server);
    const revoked = withKey('x'.repeat(32), path);
    const first = { ...nothing, status: 401, limit: 2, remaining: 1, reset: now + 30 };
    expect(limitOf(await visitor.raw(revoked))).toEqual(first);
    expect(limitOf(await visitor.raw({ ...revoked, address: '192.0.2.7' }))).toMatchObject({ status: 401, remaining: 0 });
    expect(limitOf(await visitor.raw(revoked))).toMatchObject({ status: 429, retryAfter: 30 });
    await server.clock.jump(30);
    expect(limitOf(await visitor.raw(revoked))).toEqual({ ...first, reset: now + 60 });
  },
);

it('A program that repeats a revoked key slows nobody else at its network address', async () => {
  const { server, tanaka } = await setup();
  const visitor = eg.visitor(server);
  for (let calls = 0; calls < 10; calls += 1) await visitor.raw(withKey('x'.repeat(32)));
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 200, remaining: 2 });
  expect(limitOf(await visitor.raw(withKey('y'.repeat(32))))).toMatchObject({ status: 401, remaining: 1 });
  expect(limitOf(await visitor.raw(ownUser))).toEqual({ ...nothing, status: 401 });
  expect(limitOf(await visitor.raw(serverSettings))).toEqual({ ...nothing, status: 200 });
  await visitor.ok(api.fetchApiKey, { username: eg.emailOf('sato'), password: eg.password });
});

it('Calls without credentials are not counted, so that nobody can use them up for the others at a network address', async () => {
  const { server } = await setup();
  const visitor = eg.visitor(server);
  for (let calls = 0; calls < 300; calls += 1) {
    expect(limitOf(await visitor.raw(serverSettings))).toEqual({ ...nothing, status: 200 });
    expect(limitOf(await visitor.raw(ownUser))).toEqual({ ...nothing, status: 401 });
  }
  await visitor.ok(api.fetchApiKey, { username: eg.emailOf('sato'), password: eg.password });
});

it('The default rate limits are 200 calls a minute per member and 100 per refused key', async () => {
  const usual = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
  expect(limitOf(await eg.visitor(usual).raw(withKey('x'.repeat(32))))).toMatchObject({ limit: 100, remaining: 99 });
  await usual.close();

  const server = await eg.server({ rateLimits: api.defaultRateLimits });
  const now = server.clock.now() / 1000;
  const tanaka = eg.signIn(server, 'tanaka');
  for (let calls = 0; calls < 199; calls += 1) await tanaka.ok(api.getOwnUser, {});
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 200, limit: 200, remaining: 0, reset: now + 60 });
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 429 });
});

it('When the rate limits of a server are disabled, its answers have no rate limit headers', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  for (let calls = 0; calls < 300; calls += 1) await tanaka.ok(api.getOwnUser, {});
  expect(limitOf(await tanaka.raw(ownUser))).toEqual({ ...nothing, status: 200 });
  expect(limitOf(await eg.visitor(server).raw(serverSettings))).toEqual({ ...nothing, status: 200 });
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:1:2::', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1:2:3:4%eth0', 'fe80:0:0:0'],
  [undefined, undefined],
])('networkOf counts a caller at %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it('CallCounts.look returns the remaining calls without counting a call', () => {
  const counts = new CallCounts(fakeClock(), { calls: 1, seconds: 60 });
  expect(counts.look('a')).toMatchObject({ remaining: 1, exceeded: false });
  expect(counts.spend('a')).toMatchObject({ remaining: 0, exceeded: false });
  expect(counts.look('a')).toMatchObject({ remaining: 0, exceeded: false });
  expect(counts.spend('a')).toMatchObject({ remaining: 0, exceeded: true });
  expect(counts.look('b')).toMatchObject({ remaining: 1 });
});

it('CallCounts.forget removes all calls of the chosen keys', () => {
  const counts = new CallCounts(fakeClock(), { calls: 2, seconds: 60 });
  for (const key of ['a', 'a', 'b']) counts.spend(key);
  counts.forget((key) => key === 'a');
  expect([counts.look('a').remaining, counts.look('b').remaining]).toEqual([2, 1]);
});

it('CallCounts counts at most 100,000 callers and drops the oldest caller for a new one', () => {
  const counts = new CallCounts(fakeClock(), { calls: 10, seconds: 60 });
  for (let caller = 0; caller < 100_000; caller += 1) counts.spend(caller);
  expect(counts.spend(99_999)).toMatchObject({ remaining: 8 });
  expect(counts.look(0)).toMatchObject({ remaining: 9 });
  counts.spend('one more');
  expect(counts.look(0)).toMatchObject({ remaining: 10 });
  expect(counts.look(1)).toMatchObject({ remaining: 9 });
});
