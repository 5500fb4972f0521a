import { expect, it } from 'vitest';
import { eg } from '../test/eg.ts';
import { fakeClock } from '../test/fakeClock.ts';
import { refusal, success, type Answer } from '../test/scriptedServer.ts';
import { deleteMessage, getUsers, sendMessage } from './calls.ts';
import { connect } from './connection.ts';
import { callOnEachBatch } from './eventQueue.ts';

const outage: Answer = { status: 502, html: 'Bad Gateway' };
const limited = refusal(429, 'RATE_LIMIT_HIT', 'API usage exceeded rate limit', { 'retry-after': 12 });
const members = success({ members: [] });
const letter = { type: 'stream', to: '開発本部', topic: 'stream events', content: 'こんにちは' };
const client_message_id = '0b0e7b0a-3f0c-4a53-9a5e-6f1d7f3c2b1a';

async function retrying(answers: readonly Answer[], attempts = 3) {
  const clock = fakeClock();
  const example = await eg(answers, { clock, retry: { attempts, random: () => 1 } });
  return { ...example, clock };
}

it('A connection with retry repeats a GET call after a network or server error, and waits longer each time', async () => {
  const { server, connection, clock } = await retrying(['cut', outage, members]);
  const pending = getUsers(connection, {});
  await clock.pass(1000);
  await clock.pass(2000);
  expect(await pending).toEqual({ members: [] });
  expect(server.received).toHaveLength(3);
});

it('A connection with retry repeats a GET call after a timeout', async () => {
  const { server, connection, clock } = await retrying(['hold', members]);
  const pending = getUsers(connection, {}, { timeoutMilliseconds: 5000 });
  await server.arrived(1);
  await clock.pass(5000);
  await clock.pass(1000);
  expect(await pending).toEqual({ members: [] });
});

it('When all attempts fail, a connection with retry rejects with the error of the last attempt', async () => {
  const { server, connection, clock } = await retrying(['cut', outage], 2);
  const pending = getUsers(connection, {}).catch((error: unknown) => error);
  await clock.pass(1000);
  expect(await pending).toMatchObject({ name: 'ServerError', status: 502 });
  expect(server.received).toHaveLength(2);
});

it.each([
  ['a network error', 'cut' as const, 'NetworkError'],
  ['a server error', outage, 'ServerError'],
])('A connection with retry never repeats a call that changes something after %s', async (_, failure, name) => {
  const { server, connection } = await retrying([failure]);
  await expect(deleteMessage(connection, { message_id: 7 })).rejects.toMatchObject({ name });
  expect(server.received).toHaveLength(1);
});

it('A connection with retry repeats sending a message that has a client_message_id, with the same id', async () => {
  const { server, connection, clock } = await retrying(['cut', success({ id: 7 })]);
  const sent = sendMessage(connection, { ...letter, client_message_id });
  await clock.pass(1000);
  expect(await sent).toEqual({ id: 7 });
  const [first, second] = server.received.map(({ form }) => form);
  expect(first).toMatchObject({ client_message_id });
  expect(second).toEqual(first);
});

it('A connection with retry repeats every rate-limited call after the wait that the server requires', async () => {
  const { server, connection, clock } = await retrying([limited, success({ id: 7 })]);
  const sent = sendMessage(connection, letter);
  await clock.pass(12_000);
  expect(await sent).toEqual({ id: 7 });
  expect(server.received).toHaveLength(2);
});

it.each([
  ['a refusal', refusal(400, 'BAD_REQUEST', 'Invalid message(s)')],
  ['an answer that is not of the chat API', { html: '<h1>Welcome to this hotel</h1>' }],
])('A connection with retry does not repeat a call after %s', async (_, answer) => {
  const { server, connection } = await retrying([answer]);
  await expect(getUsers(connection, {})).rejects.toThrow();
  expect(server.received).toHaveLength(1);
});

it('If a call is aborted during the wait before a retry, the wait ends and the call is not repeated', async () => {
  const clock = fakeClock();
  const requests: string[] = [];
  // It ignores signals, like one that calls a server in the same process.
  const fetch = () => {
    requests.push('pending');
    return Promise.resolve(Response.json({}, { status: 429, headers: { 'Retry-After': '12' } }));
  };
  const connection = connect({ realm: 'http://chat.example', clock, fetch, retry: { attempts: 3 } });
  const controller = new AbortController();
  const pending = getUsers(connection, {}, { signal: controller.signal });
  await clock.until(12_000);
  controller.abort(new Error('changed my mind'));
  await expect(pending).rejects.toThrow('changed my mind');
  expect(requests).toHaveLength(1);
  expect(clock.waits()).toEqual([]);
});

it('callOnEachBatch with recover retries by its own rules and ignores the retry option of the connection', async () => {
  const registered = success({ queue_id: 'queue-1', last_event_id: -1, zulip_version: '10.0' });
  const { server, connection, clock } = await retrying([limited, registered, outage]);
  const controller = new AbortController();
  const troubles: string[] = [];
  const loop = callOnEachBatch(connection, () => {}, {
    recover: true,
    onFailure: ({ name }) => troubles.push(name),
    log: () => {},
    random: () => 1,
    signal: controller.signal,
    clock,
  });
  await clock.pass(12_000);
  await clock.pass(1000);
  await server.arrived(4);
  expect(troubles).toEqual(['RateLimitedError', 'ServerError']);
  controller.abort();
  await loop.ended;
});

it('The retry option of a single call overrides the retry option of the connection', async () => {
  const clock = fakeClock();
  const { server, connection } = await eg(['cut', members, 'cut'], { clock });
  const pending = getUsers(connection, {}, { retry: { attempts: 2, random: () => 1 } });
  await clock.pass(1000);
  expect(await pending).toEqual({ members: [] });
  const impatient = connect({ realm: server.site, retry: { attempts: 5 } });
  await expect(getUsers(impatient, {}, { retry: { attempts: 1 } })).rejects.toMatchObject({ name: 'NetworkError' });
});

it('A connection without the retry option does not repeat a failed call', async () => {
  const { server, connection } = await eg([limited]);
  await expect(getUsers(connection, {})).rejects.toMatchObject({ name: 'RateLimitedError', retryAfterSeconds: 12 });
  expect(server.received).toHaveLength(1);
});
