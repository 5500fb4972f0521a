import { mkdtempSync, rmSync } from 'node:fs';
import { connect as connectSocket, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, deactivateOwnUser, fetchApiKey, getEvents, registerQueue, sendMessage } from '@engawa/client';
import { Database } from '@engawa/chat-server/database';
import { paths } from '@engawa/protocol/product';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { basicAuthorization } from '../chat/connections.ts';
import { configurationOf } from '../configuration.ts';
import { seedings } from '../demo/store.ts';
import { logAbove } from '../log/log.ts';
import { migrations } from '../database/migrations.ts';
import { listen } from '../app.ts';
import { createProduct } from '../product.ts';
import { healthRoute } from './health.ts';
import { emailOf, fromOwnPage, runProductForFile } from '../testing/product.ts';

const product = await runProductForFile({ LOG_LEVEL: 'info' });
const host = 'localhost';
const calls = () => product.log.filter(({ event }) => event === 'call_finished');

describe('log of calls', () => {
  it('The log has one line for each call, with method, path, status, duration and member', async () => {
    const [basic, cookie] = [await product.basicOf('tanaka'), await product.cookieOf('sato')];
    const tanaka = (await product.app.inject({ url: '/api/v1/users/me', headers: { host, authorization: basic } })).json();
    const sato = (await product.app.inject({ url: paths.session, headers: { host, cookie } })).json();
    await product.app.inject({ url: paths.sessions, headers: { host, authorization: basic } });
    await product.app.inject({ url: '/nowhere', headers: { host } });
    const line = { level: 'info', event: 'call_finished', method: 'GET', status: 200, milliseconds: expect.any(Number) };
    expect(calls().slice(-4)).toEqual([
      { ...line, path: '/api/v1/users/me', member: tanaka.user_id },
      { ...line, path: '/api/session', member: sato.member.user_id },
      { ...line, path: '/api/sessions', member: tanaka.user_id },
      { ...line, path: '/nowhere', status: 404 },
    ]);
  });

  it('Polls that got their events have one line together, and a poll whose client left has its own line', async () => {
    const { app, log, asked, address, username, apiKey } = await start();
    const member = connect({ realm: address, username, apiKey });
    const { queue_id, last_event_id } = await registerQueue(member, { event_types: ['message'] });
    const left = new AbortController();
    const abandoned = getEvents(member, { queue_id, last_event_id }, { signal: left.signal });
    await expect.poll(() => asked).toContain('/api/v1/events');
    left.abort();
    await expect(abandoned).rejects.toThrow();
    const poll = getEvents(member, { queue_id, last_event_id });
    await expect.poll(() => asked.filter((path) => path === '/api/v1/events')).toHaveLength(2);
    await sendMessage(member, { type: 'direct', to: username, content: '聞こえますか' });
    expect((await poll).events).toHaveLength(1);
    await app.close();
    const ofPolls = log.filter(({ event, path }) => event === 'polls_finished' || path === '/api/v1/events');
    expect(ofPolls).toEqual([
      expect.objectContaining({ event: 'call_finished', status: null }),
      { level: 'info', event: 'polls_finished', polls: 1 },
    ]);
  });

  it('A poll that is refused while it waits has its own line with the status of the refusal', async () => {
    const { app, log, asked, address, username, apiKey } = await start();
    const member = connect({ realm: address, username, apiKey });
    const { queue_id, last_event_id } = await registerQueue(member, { event_types: ['message'] });
    const refused = expect(getEvents(member, { queue_id, last_event_id })).rejects.toThrow('Account is deactivated');
    await expect.poll(() => asked).toContain('/api/v1/events');
    await deactivateOwnUser(member, {});
    await refused;
    await app.close();
    const ofPolls = log.filter(({ event, path }) => event === 'polls_finished' || path === '/api/v1/events');
    expect(ofPolls).toEqual([expect.objectContaining({ event: 'call_finished', status: 401 })]);
  });

  it('The log of calls contains no password, API key, token, cookie, query or file name', async () => {
    const [authorization, cookie] = [await product.basicOf('tanaka'), await product.cookieOf('sato')];
    const secret = 'himitsu-no-kotoba';
    const letters = 'MozDdcaTfJWSCQya';
    const key =
      Buffer.from(authorization.split(' ')[1] ?? '', 'base64')
        .toString()
        .split(':')[1] ?? '';
    const asked = [
      { url: `/api/v1/fetch_api_key?password=${secret}`, payload: `password=${secret}` },
      { url: paths.session, payload: JSON.stringify({ email: secret, password: secret }) },
      { url: `/api/storage/temp/${secret}.txt?key=${key}`, payload: '' },
      { url: `/${key}/${cookie.split('=')[1]}/%0d%0a${secret}`, payload: '' },
      { url: `/api/v1/${secret}`, payload: '' },
      { url: `/api/calls/${letters}`, payload: '' },
    ];
    for (const method of ['GET', 'POST'] as const) {
      for (const { url, payload } of asked) {
        const body = method === 'GET' ? {} : { payload };
        const headers = { host, cookie, authorization, ...fromOwnPage, 'user-agent': secret };
        await product.app.inject({ method, url, headers, ...body });
      }
    }
    const written = JSON.stringify(product.log);
    const secrets = [secret, letters, key, authorization, cookie.split('=')[1] ?? ''];
    expect(secrets.filter((each) => each !== '' && written.includes(each))).toEqual([]);
    expect(calls().length).toBeGreaterThan(asked.length);
  });

  it('The log contains events of the configured level or a more severe one, and all events without a level', () => {
    const log = vi.fn();
    const quiet = logAbove('warn', log);
    for (const level of ['error', 'warn', 'info', 'debug'] as const) quiet({ level, event: level });
    quiet({ event: 'the code' });
    expect(log.mock.calls.map(([{ event }]) => event)).toEqual(['error', 'warn', 'the code']);
  });
});

describe('/healthz', () => {
  it.each(['localhost', '10.1.2.3:8080', 'balancer.example'])(
    'GET /healthz is answered under the host name %s, and reveals only the status',
    async (name) => {
      const answer = await product.app.inject({ url: '/healthz', headers: { host: name } });
      expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
      expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    },
  );

  it('Under a foreign host name the server refuses every call except GET /healthz', async () => {
    for (const [method, url] of [
      ['GET', '/healthz/'],
      ['GET', '/healthz/../api/session'],
      ['POST', '/healthz'],
    ] as const) {
      const answer = await product.app.inject({ method, url, headers: { host: 'balancer.example' } });
      expect(answer.statusCode).toBe(421);
    }
  });

  it('GET /healthz returns 503 if a database cannot be read', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engawa-health-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const database = new Database(join(directory, 'engawa.db'), { migrations });
    const app = Fastify();
    const log = vi.fn();
    healthRoute(app, [() => seedings.get(database.reader)], log);
    expect((await app.inject('/healthz')).statusCode).toBe(200);
    database.close();
    const answer = await app.inject('/healthz');
    expect([answer.statusCode, answer.json()]).toEqual([503, { status: 'failing' }]);
    expect(log).toHaveBeenCalledWith(expect.objectContaining({ level: 'error', event: 'health_check_failed' }));
  });
});

async function start(gracePeriod = 10_000) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-stop-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true, force: true }));
  const configuration = { ...configurationOf({ DATA_DIR: dataDirectory }), port: 0 };
  const log: Readonly<Record<string, unknown>>[] = [];
  const app = await createProduct(configuration, { screens: dataDirectory, log: (event) => void log.push(event), gracePeriod });
  onTestFinished(() => app.close());
  const address = await listen(app, configuration);
  const asked: (string | undefined)[] = [];
  app.server.on('request', ({ url }) => asked.push(url?.split('?', 1).join('')));
  const username = emailOf('tanaka');
  const { api_key: apiKey } = await fetchApiKey(connect({ realm: address }), { username, password: 'demo' });
  return { app, log, asked, address, username, apiKey, authorization: basicAuthorization(username, apiKey) };
}

/** Begins an upload. */
function beginUpload({ address, authorization }: Awaited<ReturnType<typeof start>>) {
  const before =
    '--edge\r\nContent-Disposition: form-data; name="dstFileName"\r\n\r\naaaaaaaaaaaaaaaaaaaa.txt\r\n' +
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nthe first half, ';
  const after = 'the second half\r\n--edge--\r\n';
  const socket = connectSocket(Number(new URL(address).port), '127.0.0.1');
  socket.write(
    `POST ${paths.upload} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${before.length + after.length}\r\n` +
      `Authorization: ${authorization}\r\nContent-Type: multipart/form-data; boundary=edge\r\n\r\n${before}`,
  );
  return { end: () => socket.write(after), answer: answerOf(socket) };
}

function answerOf(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    socket.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    socket.on('error', reject).on('close', () => resolve(said));
  });
}

describe('stopping the product', () => {
  it('A stopping product answers waiting polls, waits for an upload to finish and accepts no new connections', async () => {
    const started = await start();
    const { app, asked, address, username, apiKey } = started;
    const member = connect({ realm: address, username, apiKey });
    const { queue_id, last_event_id } = await registerQueue(member, { event_types: ['message'] });
    const poll = getEvents(member, { queue_id, last_event_id });
    const upload = beginUpload(started);
    await expect.poll(() => asked).toEqual(expect.arrayContaining(['/api/v1/events', paths.upload]));

    const closed = app.close();
    expect((await poll).events).toEqual([]);
    await expect(fetch(`${address}/healthz`)).rejects.toThrow('fetch failed');
    upload.end();
    expect(await upload.answer).toMatch(/^HTTP\/1\.1 200 OK[^]*"result":"success"/);
    await closed;
  });

  it('A stopping product refuses an upload with 503 when the grace period is over, and ends', async () => {
    const started = await start(50);
    const upload = beginUpload(started);
    await expect.poll(() => started.asked).toContain(paths.upload);
    const closed = started.app.close();
    expect(await upload.answer).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 5[^]*"code":"INTERNAL"/);
    await closed;
    expect(started.log.filter(({ event }) => event === 'call_failed')).toEqual([]);
  });
});
