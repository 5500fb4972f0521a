import {
  fetchApiKey,
  getEvents,
  getOwnUser,
  getServerSettings,
  registerQueue,
  sendMessage,
  defaultRateLimits,
} from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import { createChatServer } from '../chatServer.ts';
import { fakeClock } from '../testing/clock.ts';
import * as eg from '../testing/eg.ts';
import { CallCounts, networkOf } from './rateLimits.ts';

const limits = { member: { calls: 3, seconds: 60 }, address: { calls: 2, seconds: 30 } };
const ownUser: eg.RawRequest = { path: '/users/me' };
const settings: eg.RawRequest = { path: '/server_settings' };

/** What an answer says of the limit. */
function told({ status, headers }: eg.Reply) {
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

async function limited() {
  const server = await eg.server({ rateLimits: limits });
  const now = server.clock.now() / 1000;
  return { server, now, tanaka: eg.signIn(server, 'tanaka'), sato: eg.signIn(server, 'sato') };
}

describe('a member’s calls', () => {
  it('are counted, and each answer says how many are left and until when', async () => {
    const { server, now, tanaka } = await limited();
    const answer = { ...nothing, status: 200, limit: 3, reset: now + 60 };
    expect(told(await tanaka.raw(ownUser))).toEqual({ ...answer, remaining: 2 });
    await server.clock.jump(10);
    expect(told(await tanaka.raw(ownUser))).toEqual({ ...answer, remaining: 1 });
  });

  it('are counted also when they are refused, and the refusal says it too', async () => {
    const { tanaka } = await limited();
    const malformed = await tanaka.raw({ path: '/messages', query: { num_before: 'abc' } });
    expect(told(malformed)).toMatchObject({ status: 400, limit: 3, remaining: 2 });
    const form = { type: 'telegram', to: '1', content: '1' };
    const refused = await tanaka.raw({ method: 'POST', path: '/messages', form });
    expect(told(refused)).toMatchObject({ status: 400, limit: 3, remaining: 1 });
  });

  it('are refused when they are too many, with how long to wait, and are then not made', async () => {
    const { server, now, tanaka } = await limited();
    const message = { type: 'stream', to: eg.general, topic: 't', content: '一' };
    for (let calls = 0; calls < 3; calls += 1) await tanaka.ok(sendMessage, message);
    await server.clock.jump(1.5);
    const reply = await tanaka.raw({ method: 'POST', path: '/messages', form: message });
    expect(told(reply)).toEqual({ status: 429, limit: 3, remaining: 0, reset: now + 60, retryAfter: 59 });
    expect(eg.refusal(reply)).toEqual({
      result: 'error',
      status: 429,
      code: 'RATE_LIMIT_HIT',
      msg: 'API usage exceeded rate limit',
      'retry-after': 58.5,
    });
    await server.clock.jump(60);
    expect(await tanaka.ok(getOwnUser, {})).toMatchObject({ max_message_id: server.messages.length + 3 });
  });

  it('are free again when the window is over, however many were refused in it', async () => {
    const { server, now, tanaka } = await limited();
    for (let calls = 0; calls < 10; calls += 1) await tanaka.raw(ownUser);
    await server.clock.jump(59);
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ status: 429, retryAfter: 1 });
    await server.clock.jump(1);
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ status: 200, remaining: 2, reset: now + 120 });
  });

  it('are each member’s own, and one member’s on every device', async () => {
    const { server, tanaka, sato } = await limited();
    for (let calls = 0; calls < 3; calls += 1) await tanaka.raw({ ...ownUser, address: `192.0.2.${calls}` });
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ status: 429 });
    expect(told(await sato.raw(ownUser))).toMatchObject({ status: 200, remaining: 2 });
    const { api_key } = await eg.visitor(server).ok(fetchApiKey, {
      username: eg.emailOf('tanaka'),
      password: eg.password,
    });
    expect(told(await eg.withKey(server, eg.emailOf('tanaka'), api_key).raw(ownUser))).toMatchObject({ status: 429 });
  });

  it('are not counted where they wait for events', async () => {
    const { tanaka } = await limited();
    const queue = await tanaka.ok(registerQueue, {});
    for (let polls = 0; polls < 10; polls += 1) await tanaka.ok(getEvents, { ...queue, dont_block: true });
    const { queue_id, last_event_id } = queue;
    const query = { queue_id, last_event_id: String(last_event_id), dont_block: 'true' };
    expect(told(await tanaka.raw({ path: '/events', query }))).toEqual({ ...nothing, status: 200 });
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ remaining: 1 });
  });

  it('that there are not are not counted', async () => {
    const { tanaka } = await limited();
    expect(told(await tanaka.raw({ path: '/nothing' }))).toEqual({ ...nothing, status: 404 });
    expect(told(await tanaka.raw({ method: 'PUT', path: '/messages' }))).toEqual({ ...nothing, status: 405 });
    expect(told(await tanaka.raw({ method: 'OPTIONS', path: '/messages' }))).toEqual({ ...nothing, status: 204 });
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ remaining: 2 });
  });
});

describe('calls without credentials', () => {
  it('are counted by the address that they come from', async () => {
    const { server, now } = await limited();
    const from = async (address: string) => told(await eg.visitor(server).raw({ ...settings, address }));
    const first = { ...nothing, status: 200, limit: 2, remaining: 1, reset: now + 30 };
    expect(await from('192.0.2.7')).toEqual(first);
    expect(await from('192.0.2.7')).toMatchObject({ status: 200, remaining: 0 });
    expect(await from('192.0.2.7')).toMatchObject({ status: 429, retryAfter: 30 });
    expect(await from('192.0.2.8')).toMatchObject({ status: 200, remaining: 1 });
    await server.clock.jump(30);
    expect(await from('192.0.2.7')).toMatchObject({ status: 200, remaining: 1 });
  });

  it.each(['GET /users/me', 'GET /events'])('are counted with those whose credentials are wrong: %s', async (call) => {
    const { server } = await limited();
    const path = call.slice('GET '.length);
    const guess = { path, headers: { authorization: eg.basic(eg.emailOf('tanaka'), 'x'.repeat(32)) } };
    const visitor = eg.visitor(server);
    expect(told(await visitor.raw(guess))).toMatchObject({ status: 401, limit: 2, remaining: 1 });
    expect(told(await visitor.raw({ path }))).toMatchObject({ status: 401, limit: 2, remaining: 0 });
    expect(told(await visitor.raw(guess))).toMatchObject({ status: 429 });
    expect(told(await visitor.raw(settings))).toMatchObject({ status: 429 });
  });

  it('do not use up what a member at the same address has', async () => {
    const { server, tanaka } = await limited();
    for (let calls = 0; calls < 5; calls += 1) await eg.visitor(server).raw(settings);
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ status: 200, remaining: 2 });
  });

  it('are not counted where the process itself makes them, which has no address', async () => {
    const { server } = await limited();
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
});

describe('the limits of a server', () => {
  it('are the usual ones unless said otherwise', async () => {
    const usual = createChatServer({ directory: eg.directory(), realm: eg.realm, clock: fakeClock() });
    expect(told(await eg.visitor(usual).raw(settings))).toMatchObject({ limit: 100, remaining: 99 });
    await usual.close();
  });

  it('are 200 calls of a member and 100 of an address in a minute', async () => {
    const server = await eg.server({ rateLimits: defaultRateLimits });
    const now = server.clock.now() / 1000;
    const tanaka = eg.signIn(server, 'tanaka');
    for (let calls = 0; calls < 199; calls += 1) await tanaka.ok(getOwnUser, {});
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ status: 200, limit: 200, remaining: 0, reset: now + 60 });
    expect(told(await tanaka.raw(ownUser))).toMatchObject({ status: 429 });
    for (let calls = 0; calls < 100; calls += 1) await eg.visitor(server).ok(getServerSettings, {});
    expect(told(await eg.visitor(server).raw(settings))).toMatchObject({ status: 429, limit: 100 });
  });

  it('can be none, and then nothing is told of them', async () => {
    const server = await eg.server();
    const tanaka = eg.signIn(server, 'tanaka');
    for (let calls = 0; calls < 300; calls += 1) await tanaka.ok(getOwnUser, {});
    expect(told(await tanaka.raw(ownUser))).toEqual({ ...nothing, status: 200 });
    expect(told(await eg.visitor(server).raw(settings))).toEqual({ ...nothing, status: 200 });
  });
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
])('who calls from %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('counts of calls', () => {
  it('are looked at without counting', () => {
    const counts = new CallCounts(fakeClock(), { calls: 1, seconds: 60 });
    expect(counts.look('a')).toMatchObject({ remaining: 1, exceeded: false });
    expect(counts.spend('a')).toMatchObject({ remaining: 0, exceeded: false });
    expect(counts.look('a')).toMatchObject({ remaining: 0, exceeded: false });
    expect(counts.spend('a')).toMatchObject({ remaining: 0, exceeded: true });
    expect(counts.look('b')).toMatchObject({ remaining: 1 });
  });

  it('are taken back one by one, or all', () => {
    const counts = new CallCounts(fakeClock(), { calls: 2, seconds: 60 });
    counts.giveBack('a');
    counts.spend('a');
    counts.spend('a');
    counts.giveBack('a');
    expect(counts.look('a')).toMatchObject({ remaining: 1 });
    counts.forget('a');
    expect(counts.look('a')).toMatchObject({ remaining: 2 });
  });

  it('are kept of the 100,000 newest callers; the oldest makes room, and a caller who is known does not', () => {
    const counts = new CallCounts(fakeClock(), { calls: 10, seconds: 60 });
    for (let caller = 0; caller < 100_000; caller += 1) counts.spend(caller);
    expect(counts.spend(99_999)).toMatchObject({ remaining: 8 });
    expect(counts.look(0)).toMatchObject({ remaining: 9 });
    counts.spend('one more');
    expect(counts.look(0)).toMatchObject({ remaining: 10 });
    expect(counts.look(1)).toMatchObject({ remaining: 9 });
  });
});
