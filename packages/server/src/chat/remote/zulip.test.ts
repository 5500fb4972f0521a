/** The product in front of the test server that behaves like a real Zulip. */
import { setTimeout } from 'node:timers/promises';
import { callOnEachEvent, getMessages, getOwnUser, getSubscriptions, getUsers, registerQueue, sendMessage } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProduct } from '../../testing/product.ts';
import { startZulip } from '../../testing/zulip/zulip.ts';
import { type ZulipBrowser, zulipBrowserOf } from '../../testing/zulipBrowser.ts';

const zulip = await startZulip({ callsPerMinute: 100_000 });
const product = await runProduct({ ZULIP_SITE: zulip.url });
afterAll(async () => {
  await product.close();
  await zulip.close();
});
beforeEach(() => {
  zulip.received.length = 0;
});
afterEach(() => zulip.fail());

const capabilitiesOfClient = { notification_settings_null: true, bulk_message_deletion: true };

const browserOf = (name: string, at = product) => zulipBrowserOf(name, at);
const tanaka = await browserOf('tanaka');
const sato = await browserOf('sato');

/** A stream in which both are. */
async function commonStream(): Promise<number> {
  const [own, others] = await Promise.all([tanaka, sato].map(({ connection }) => getSubscriptions(connection, {})));
  const ids = new Set(others?.subscriptions.map(({ stream_id }) => stream_id));
  const common = own?.subscriptions.find(({ stream_id }) => ids.has(stream_id));
  if (!common) throw new Error('the two share no stream');
  return common.stream_id;
}
const stream = await commonStream();

const send = ({ connection }: ZulipBrowser, content: string) =>
  sendMessage(connection, { type: 'stream', to: String(stream), topic: 'stream events', content });
const newest = ({ connection }: ZulipBrowser, num_before = 5) =>
  getMessages(connection, {
    anchor: 'newest',
    num_before,
    num_after: 0,
    narrow: [{ operator: 'stream', operand: stream }],
    apply_markdown: false,
  });

describe('the chat API in front of a Zulip', () => {
  it('[R7.8] A member’s own message is stored as read, and unread for others', async () => {
    const { id } = await send(tanaka, '朝会は10時からです');
    const own = (await newest(tanaka)).messages.at(-1);
    const other = (await newest(sato)).messages.at(-1);
    expect([own?.id, other?.id]).toEqual([id, id]);
    expect(own?.flags).toContain('read');
    expect(other?.flags).not.toContain('read');
    expect(own?.client).toBe('Engawa desktop app');
  });

  it('[R7.8] No answer has the secret address of a stream or a picture of another site', async () => {
    const register = { fetch_event_types: ['realm_user', 'subscription'], client_capabilities: capabilitiesOfClient };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answers = await Promise.all([
      tanaka.ask('POST', '/api/v1/register', { headers, payload: encoded(register) }),
      tanaka.ask('GET', '/api/v1/users/me/subscriptions'),
      tanaka.ask('GET', '/api/v1/users'),
    ]);
    const texts = answers.map(({ body }) => body);
    expect(texts[1]).toContain('"email_address":""');
    for (const text of texts) {
      expect(text).not.toMatch(/"email_address":\s*"[^"]/);
      expect(text).not.toContain('gravatar');
      expect(text).not.toContain(zulip.url);
    }
  });

  it('[R7.8] Calls that a Zulip does not have are answered as not found in JSON, and others do not reach it', async () => {
    expect((await tanaka.ask('GET', '/api/v1/users/me/pointer')).json()).toMatchObject({ result: 'error', code: 'NOT_FOUND' });
    zulip.received.length = 0;
    for (const path of ['/realm/export', '/users/me/api_key/regenerate', '/messages/1%2f..%2f..', '/dev']) {
      const { statusCode, headers } = await tanaka.ask('GET', `/api/v1${path}`);
      expect([path, statusCode >= 400, headers['content-type']]).toEqual([path, true, expect.stringContaining('json')]);
    }
    expect(zulip.received).toEqual([]);
  });

  it('[R7.8] Answers and events with keys of a later version are read', async () => {
    await zulip.fail({ unknownKeys: true });
    const { id } = await send(tanaka, '会議室を予約しました');
    expect((await newest(sato)).messages.at(-1)?.id).toBe(id);
    expect((await getUsers(tanaka.connection, {})).members.length).toBeGreaterThan(5);
  });

  it('[R7.8] An answer without its fields is a failure of the chat server for the product’s own calls', async () => {
    await zulip.fail({ emptyAnswers: true });
    const answer = await tanaka.ask('GET', '/api/profile');
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'CHAT_SERVER_UNAVAILABLE']);
  });
});

function encoded(fields: object): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) form.set(name, JSON.stringify(value));
  return form.toString();
}

describe('a Zulip that fails', () => {
  it('[R7.8] While the Zulip is down every call is answered with one code, and works again afterwards', async () => {
    await zulip.fail({ down: true });
    const refused = { status: 502, code: 'CHAT_SERVER_UNAVAILABLE' };
    await expect(getOwnUser(tanaka.connection, {})).rejects.toMatchObject(refused);
    await expect(send(tanaka, 'もしもし')).rejects.toMatchObject(refused);
    const { fault, call } = product.log.findLast(({ event }) => event === 'chat_server_failed') ?? {};
    expect([fault, call]).toEqual(['unreachable', 'POST /api/v1/messages']);
    expect((await product.app.inject({ url: '/healthz', headers: { host: 'localhost' } })).statusCode).toBe(200);
    await zulip.fail();
    await expect(send(tanaka, 'もしもし')).resolves.toMatchObject({ id: expect.any(Number) });
  });

  it('[R7.8] The page of a proxy before the Zulip becomes an error in JSON', async () => {
    await zulip.fail({ badGateway: true });
    await expect(getOwnUser(tanaka.connection, {})).rejects.toMatchObject({ status: 502, code: 'CHAT_SERVER_UNAVAILABLE' });
  });

  it('[R7.8] A rate limit of the Zulip is passed on with its wait in whole seconds', async () => {
    await zulip.fail({ rateLimited: true });
    const answer = await tanaka.ask('GET', '/api/v1/users/me');
    expect(answer.statusCode).toBe(429);
    expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    await expect(getOwnUser(tanaka.connection, {})).rejects.toMatchObject({ name: 'RateLimitedError' });
  });

  it('[R7.8] A refused key is passed on as 401, and the browser learns that it is signed out', async () => {
    await zulip.fail({ refusedKeys: ['tanaka@engawa.example'] });
    await expect(getOwnUser(tanaka.connection, {})).rejects.toMatchObject({ status: 401 });
    expect((await tanaka.ask('GET', '/api/session')).json()).toMatchObject({ member: null });
  });
});

/** Collects the texts of messages, as the web client polls. */
function listen({ connection }: ZulipBrowser) {
  const stop = new AbortController();
  const events: ServerEvent[] = [];
  let registrations = 0;
  let failures = 0;
  const loop = callOnEachEvent(connection, (event) => void events.push(event), {
    recover: true,
    pause: 'after-empty-or-failed',
    eventTypes: ['message'],
    registration: { client_capabilities: capabilitiesOfClient, apply_markdown: false },
    onRegister: () => void (registrations += 1),
    onFailure: () => void (failures += 1),
    log: () => undefined,
    signal: stop.signal,
    random: () => 0,
  });
  return {
    texts: () => events.flatMap((event) => (event.type === 'message' ? event.message.content : [])),
    registrations: () => registrations,
    failures: () => failures,
    async end() {
      stop.abort();
      await loop.ended;
    },
  };
}

describe('the event queue in front of a Zulip', () => {
  it('[R7.8] A message arrives without the delay of a poll, and an unknown event disturbs nothing', async () => {
    const queue = listen(sato);
    await expect.poll(queue.registrations).toBe(1);
    await expect.poll(() => zulip.received.some(({ call }) => call === 'GET /events')).toBe(true);
    zulip.say({ type: 'from_a_later_version', op: 'shine' });
    await send(tanaka, '届きますか');
    await expect.poll(queue.texts, { timeout: 1500 }).toEqual(['届きますか']);
    await queue.end();
    // The end of the waiting client ends the poll at the Zulip too.
    await expect(send(tanaka, '届きましたね')).resolves.toBeDefined();
  });

  it('[R7.8] After a restart of the Zulip during a poll the queue is registered again, and nothing arrives twice', async () => {
    const queue = listen(sato);
    await expect.poll(queue.registrations).toBe(1);
    await send(tanaka, '再起動の前');
    await expect.poll(queue.texts).toEqual(['再起動の前']);
    zulip.restart();
    await expect.poll(queue.registrations, { timeout: 10_000 }).toBe(2);
    await send(tanaka, '再起動のあと');
    await expect.poll(queue.texts, { timeout: 5000 }).toEqual(['再起動の前', '再起動のあと']);
    await setTimeout(300);
    expect(queue.texts()).toHaveLength(2);
    await queue.end();
  });

  it('[R7.8] When the product stops, it answers the waiting polls', async () => {
    const closing = await runProduct({ ZULIP_SITE: zulip.url });
    const { connection, ask } = await browserOf('sato', closing);
    const { queue_id, last_event_id } = await registerQueue(connection, {
      event_types: ['message'],
      client_capabilities: capabilitiesOfClient,
    });
    zulip.received.length = 0;
    const poll = ask('GET', `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`);
    await expect.poll(() => zulip.received.length).toBe(1);
    await closing.close();
    expect((await poll).json()).toMatchObject({ result: 'success', events: [] });
  });
});

describe('an end of all other sessions', () => {
  it('[R7.8] The member’s key is replaced, so that other programs are signed out, and the own session goes on', async () => {
    const [here, there] = [await browserOf('suzuki'), await browserOf('suzuki')];
    expect((await here.ask('DELETE', '/api/sessions')).statusCode).toBe(200);
    expect(zulip.received.map(({ call }) => call)).toContain('POST /users/me/api_key/regenerate');
    await expect(getOwnUser(here.connection, {})).resolves.toMatchObject({ user_id: expect.any(Number) });
    await expect(getOwnUser(there.connection, {})).rejects.toMatchObject({ status: 401 });
  });

  it('[R7.8] Signing out ends no key, because it is also that of the member’s phone', async () => {
    const [here, phone] = [await browserOf('suzuki'), await browserOf('suzuki')];
    await here.ask('POST', '/logout');
    await expect(getOwnUser(here.connection, {})).rejects.toMatchObject({ status: 401 });
    await expect(getOwnUser(phone.connection, {})).resolves.toBeDefined();
  });
});
