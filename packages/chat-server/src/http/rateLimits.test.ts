import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { CallCounts, networkOf } from './rateLimits.ts';

const limits = { member: { calls: 3, seconds: 60 }, address: { calls: 2, seconds: 30 } };
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

it('The rate limit counts calls without credentials by network address', async () => {
  const { server, now } = await setup();
  const from = async (address: string) => limitOf(await eg.visitor(server).raw({ ...serverSettings, address }));
  const first = { ...nothing, status: 200, limit: 2, remaining: 1, reset: now + 30 };
  expect(await from('192.0.2.7')).toEqual(first);
  expect(await from('192.0.2.7')).toMatchObject({ status: 200, remaining: 0 });
  expect(await from('192.0.2.7')).toMatchObject({ status: 429, retryAfter: 30 });
  expect(await from('192.0.2.8')).toMatchObject({ status: 200, remaining: 1 });
  await server.clock.jump(30);
  expect(await from('192.0.2.7')).toMatchObject({ status: 200, remaining: 1 });
});

it.each(['GET /users/me', 'GET /events'])(
  'Calls with wrong credentials and calls without credentials count against the same limit of a network address: %s',
  async (call) => {
    const { server } = await setup();
    const path = call.slice('GET '.length);
    const guess = { path, headers: { authorization: eg.basic(eg.emailOf('tanaka'), 'x'.repeat(32)) } };
    const visitor = eg.visitor(server);
    expect(limitOf(await visitor.raw(guess))).toMatchObject({ status: 401, limit: 2, remaining: 1 });
    expect(limitOf(await visitor.raw({ path }))).toMatchObject({ status: 401, limit: 2, remaining: 0 });
    expect(limitOf(await visitor.raw(guess))).toMatchObject({ status: 429 });
    expect(limitOf(await visitor.raw(serverSettings))).toMatchObject({ status: 429 });
  },
);

it('Calls without credentials do not reduce the rate limit of a member at the same network address', async () => {
  const { server, tanaka } = await setup();
  for (let calls = 0; calls < 5; calls += 1) await eg.visitor(server).raw(serverSettings);
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 200, remaining: 2 });
});

it('The rate limit does not count calls without credentials that the server process itself makes', async () => {
  const { server } = await setup();
  for (let calls = 0; calls < 5; calls += 1) {
    const { status, headers } = await server.fetch({
      method: 'GET',
      url: '/api/v1/server_settings',
      headers: {},
      body: new ReadableStream({ start: (body) => body.close() }),
      address: undefined,
      signal: new AbortController().signal,
    });
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('X-RateLimit-Limit');
  }
});

it('A server without configured rate limits uses defaultRateLimits', async () => {
  const usual = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
  expect(limitOf(await eg.visitor(usual).raw(serverSettings))).toMatchObject({ limit: 100, remaining: 99 });
  await usual.close();
});

it('The default rate limits are 200 calls a minute per member and 100 per network address', async () => {
  const server = await eg.server({ rateLimits: api.defaultRateLimits });
  const now = server.clock.now() / 1000;
  const tanaka = eg.signIn(server, 'tanaka');
  for (let calls = 0; calls < 199; calls += 1) await tanaka.ok(api.getOwnUser, {});
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 200, limit: 200, remaining: 0, reset: now + 60 });
  expect(limitOf(await tanaka.raw(ownUser))).toMatchObject({ status: 429 });
  for (let calls = 0; calls < 100; calls += 1) await eg.visitor(server).ok(api.getServerSettings, {});
  expect(limitOf(await eg.visitor(server).raw(serverSettings))).toMatchObject({ status: 429, limit: 100 });
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

it('CallCounts.giveBack removes one counted call, and CallCounts.forget removes all calls of a key', () => {
  const counts = new CallCounts(fakeClock(), { calls: 2, seconds: 60 });
  counts.giveBack('a');
  counts.spend('a');
  counts.spend('a');
  counts.giveBack('a');
  expect(counts.look('a')).toMatchObject({ remaining: 1 });
  counts.forget('a');
  expect(counts.look('a')).toMatchObject({ remaining: 2 });
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
