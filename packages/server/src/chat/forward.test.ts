import { setTimeout as pause } from 'node:timers/promises';
import { once } from 'node:events';
import { type IncomingMessage, ServerResponse, createServer, request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { json } from 'node:stream/consumers';
import { ServerError } from '@engawa/client';
import { getEvents, getMessage, getMessages, getServerSettings, registerQueue, sendMessage } from '@engawa/protocol';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { errorAnswering } from '../http/answerError.ts';
import { WholeResponse } from '../http/wholeResponse.ts';
import { fromOwnPage, runProduct, runProductForFile } from '../testing/product.ts';
import { sendRaw } from '../testing/rawSocket.ts';
import { waitingPoll } from '../testing/waitingPoll.ts';
import { forward } from './forward.ts';

const product = await runProductForFile();
const host = 'localhost';
const authorization = await product.basicOf('tanaka');
const cookie = await product.cookieOf('tanaka');
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const call = (method: 'HEAD' | 'OPTIONS' | 'PUT', path: string) =>
  product.app.inject({ method, url: `/api/v1${path}`, headers: { host, authorization } });
const ownUser = (headers: Record<string, string>) =>
  product.app.inject({ url: '/api/v1/users/me', headers: { host, ...headers } });
const toOwnStream = (content: string) => ({ type: 'stream', to: 'プロダクト開発部', topic: 'stream events', content });

describe('call of the chat API', () => {
  it('[R6.2] A call of the chat API is accepted with Basic authentication', async () => {
    const answer = await ownUser({ authorization });
    expect(answer.json()).toMatchObject({ result: 'success', email: 'tanaka@engawa.example' });
  });

  it('[R3.5] A call of the chat API is accepted with the session cookie, so that the browser needs no API key', async () => {
    const answer = await ownUser({ cookie });
    expect(answer.json()).toMatchObject({ result: 'success', email: 'tanaka@engawa.example' });
  });

  it('A call of the chat API with a session cookie and Basic authentication uses only the latter, even if it is wrong', async () => {
    const other = await product.basicOf('sato');
    const right = await ownUser({ cookie, authorization: other });
    expect(right.json()).toMatchObject({ email: 'sato@engawa.example' });
    const wrong = await ownUser({ cookie, authorization: 'Basic eDp5' });
    expect(wrong.statusCode).toBe(401);
  });

  it('Only a call with wrong Basic authentication gets the header WWW-Authenticate, so that browsers open no password dialog', async () => {
    const without = await ownUser({});
    expect([without.statusCode, without.headers['www-authenticate']]).toEqual([401, undefined]);
    const ended = await ownUser({ cookie: `engawa_session=${'x'.repeat(43)}` });
    expect([ended.statusCode, ended.headers['www-authenticate']]).toEqual([401, undefined]);
    const wrong = await ownUser({ authorization: 'Basic eDp5' });
    expect([wrong.statusCode, wrong.headers['www-authenticate']]).toEqual([401, 'Basic realm="zulip"']);
  });

  it('[R7.5] A call of the chat API is forwarded with its query, form and method', async () => {
    const sent = await product.app.inject({
      method: 'POST',
      url: '/api/v1/messages',
      headers: { host, cookie, ...fromOwnPage, ...form },
      payload: new URLSearchParams(toOwnStream('こんにちは')).toString(),
    });
    const { id } = sendMessage.answer.parse(sent.json());
    const query = new URLSearchParams({ anchor: String(id), num_before: '0', num_after: '0', apply_markdown: 'false' });
    const read = await product.app.inject({ url: `/api/v1/messages?${query}`, headers: { host, authorization } });
    expect(read.json()).toMatchObject({ messages: [{ id, content: 'こんにちは' }] });
  });

  it('The product forwards HEAD, OPTIONS, wrong methods and unknown calls below /api/v1 to the chat server, which answers them', async () => {
    const head = await call('HEAD', '/users/me');
    expect([head.statusCode, head.body, Number(head.headers['content-length']) > 100]).toEqual([200, '', true]);
    const options = await call('OPTIONS', '/users/me');
    expect([options.statusCode, options.headers.allow]).toEqual([204, 'GET, DELETE']);
    const wrong = await call('PUT', '/users/me');
    expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'GET, DELETE']);
    expect((await call('PUT', '/nowhere')).json()).toMatchObject({ result: 'error', code: 'NOT_FOUND' });
  });

  it('A HEAD that waits for an event is answered without its body, and the connection stays usable', async () => {
    const { queue_id, last_event_id } = await product.call('tanaka', registerQueue, { event_types: ['message'] });
    const headers = `HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n`;
    const poll = `HEAD /api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id} ${headers}\r\n`;
    const answered = sendRaw(product.address, `${poll}GET /api/v1/server_settings ${headers}Connection: close\r\n\r\n`);
    await pause(50);
    await product.call('tanaka', sendMessage, toOwnStream('頭だけ'));
    const { status, body = '' } = (await answered) ?? {};
    expect([status, body.startsWith('HTTP/1.1 200 OK'), body.includes('"events"')]).toEqual([200, true, false]);
  });

  it.each([
    ['of a type that the API does not know', { 'content-type': 'text/plain' }, 415],
    ['of an invalid type', { 'content-type': 'nonsense' }, 415],
    ['that does not match its type', { 'content-type': 'multipart/form-data; boundary=x' }, 400],
  ])('The chat API refuses a body %s, with JSON that has result "error"', async (_, headers, status) => {
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/v1/messages',
      headers: { host, authorization, ...headers },
      payload: 'engawa-file,x',
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { result: 'error' }]);
  });

  it.each([
    ['with', true],
    ['without', false],
  ])(
    'A call of the chat API with a body over 1 MiB, %s a Content-Length, gets the refusal PAYLOAD_TOO_LARGE',
    async (_, sized) => {
      const body = Buffer.alloc(3 * 1024 * 1024, 'a');
      const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const headers = { authorization, ...form, ...(sized ? { 'content-length': body.length } : {}) };
        const sent = request(`${product.address}/api/v1/messages`, { method: 'POST', headers }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode, text }));
        });
        sent.on('error', reject);
        for (let at = 0; at < body.length; at += 65_536) sent.write(body.subarray(at, at + 65_536));
        sent.end();
      });
      expect(answer.status).toBe(413);
      expect(JSON.parse(answer.text)).toMatchObject({ result: 'error', code: 'PAYLOAD_TOO_LARGE' });
    },
  );

  it('A body that arrives in pieces, divided within a character, reaches the chat server complete', async () => {
    const body = Buffer.from(new URLSearchParams({ ...toOwnStream('') }).toString() + '縁側');
    const sent = request(`${product.address}/api/v1/messages`, { method: 'POST', headers: { authorization, ...form } });
    const answered = once(sent, 'response');
    // The last two bytes are a part of 側.
    for (const piece of [body.subarray(0, 10), body.subarray(10, -2), body.subarray(-2)]) {
      sent.write(piece);
      await pause(20);
    }
    sent.end();
    const [response]: IncomingMessage[] = await answered;
    const { id } = sendMessage.answer.parse(response && (await json(response)));
    const read = await product.call('tanaka', getMessage, { message_id: id });
    expect(read.raw_content).toBe('縁側');
  });

  it('A poll that the product forwards to the chat server waits until an event arrives', async () => {
    const { queue_id, last_event_id } = await product.call('suzuki', registerQueue, { event_types: ['message'] });
    const poll = product.call('suzuki', getEvents, { queue_id, last_event_id });
    await product.call('tanaka', sendMessage, toOwnStream('届きますか'));
    expect((await poll).events).toMatchObject([{ type: 'message', message: { content: '届きますか' } }]);
  });
});

/** Sends the parts of requests as they are. */
function rawConnection() {
  const socket = connectSocket(Number(new URL(product.address).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const closed = once(socket, 'close');
  return {
    socket,
    closed,
    /** The status of each answer. */
    statuses: () => [...received.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status)),
  };
}

const headOf = (path: string, coding: string) =>
  [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization}`,
    `Content-Type: ${form['content-type']}`,
    coding,
    '',
    '',
  ].join('\r\n');
const chunked = 'Transfer-Encoding: chunked';
const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const lastChunk = '0\r\n\r\n';
const mostBytes = 1024 * 1024;

/** The body of a presence update in chunks. The call ignores the parameter that fills it. */
function* chunksOfPresence(bytes: number): Generator<string> {
  const body = 'status=active&filling='.padEnd(bytes, 'x');
  for (let at = 0; at < bytes; at += 64 * 1024) yield chunkOf(body.slice(at, at + 64 * 1024));
}

describe('body in pieces', () => {
  it('A body of 1 MiB in chunks is accepted, one byte more is refused, and the connection then takes the next request', async () => {
    const { socket, statuses } = rawConnection();
    const path = '/users/me/presence';
    for (const bytes of [mostBytes, mostBytes + 1, 100]) {
      socket.write(headOf(path, chunked));
      for (const chunk of chunksOfPresence(bytes)) socket.write(chunk);
      socket.write(lastChunk);
    }
    await vi.waitFor(() => expect(statuses()).toEqual([200, 413, 200]));
  });

  it.each([
    ['before the limit', 'engawa'],
    ['beyond the limit', 'x'.repeat(mostBytes)],
  ])(
    'A client that closes the connection within its body, %s, sends no message and leaves no failure in the log',
    async (_, text) => {
      const newest = async () =>
        (await product.call('tanaka', getMessages, { anchor: 'newest', num_before: 1, num_after: 0 })).messages;
      const before = await newest();
      const { socket, statuses } = rawConnection();
      const arrived = once(product.app.server, 'request');
      socket.write(headOf('/messages', chunked) + chunkOf(`${new URLSearchParams(toOwnStream(text)).toString()}`));
      const [, response] = z.tuple([z.unknown(), z.instanceof(ServerResponse)]).parse(await arrived);
      const ended = once(response, 'close');
      if (text.length >= mostBytes) await vi.waitFor(() => expect(statuses()).toEqual([413]));
      socket.destroy();
      await ended;
      expect(await newest()).toEqual(before);
      expect(product.log.filter(({ event }) => event === 'call_failed')).toEqual([]);
    },
  );

  it.each([
    ['ends its side of the connection', ''],
    ['sends a chunk without a length', 'no length\r\n'],
  ])('A client that %s within a body gets one answer, also after the refusal of a body that is too large', async (_, rest) => {
    for (const [bytes, status] of [
      [100, 400],
      [mostBytes + 1, 413],
    ] as const) {
      const { socket, statuses, closed } = rawConnection();
      socket.write(headOf('/users/me/presence', chunked));
      for (const chunk of chunksOfPresence(bytes)) socket.write(chunk);
      if (status === 413) await vi.waitFor(() => expect(statuses()).toEqual([413]));
      if (rest === '') socket.end();
      else socket.write(rest);
      await closed;
      expect(statuses()).toEqual([status]);
    }
    expect(product.log.filter(({ event }) => event === 'call_failed')).toEqual([]);
  });
});

/** Polls of 鈴木 over one connection. */
async function pollingConnection(header = '') {
  const authorizationOfSuzuki = await product.basicOf('suzuki');
  const { queue_id, last_event_id } = await product.call('suzuki', registerQueue, { event_types: ['message'] });
  const socket = connectSocket(Number(new URL(product.address).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  const requestOf = (path: string) =>
    `GET /api/v1${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorizationOfSuzuki}\r\n${header}\r\n`;
  return {
    socket,
    poll: requestOf(`/events?queue_id=${queue_id}&last_event_id=${last_event_id}`),
    pollAtOnce: requestOf(`/events?queue_id=${queue_id}&last_event_id=${last_event_id}&dont_block=true`),
    ownUser: requestOf('/users/me'),
    /** The head and body of each answer in the order of their arrival. */
    answers: () => received.split(/(?=HTTP\/1\.1 )/).filter((answer) => answer !== ''),
    /** Sends messages until the waiting poll has its answer. */
    async deliver(content: string, isAnswered: () => boolean) {
      await vi.waitFor(async () => {
        await product.call('tanaka', sendMessage, toOwnStream(content));
        expect(isAnswered()).toBe(true);
      });
    },
  };
}

const headersIn = (answer = '') =>
  answer
    .split('\r\n\r\n', 1)
    .join('')
    .replace(/^(Date|Content-Length): .*$/gm, '$1');

describe('answer to a poll that waited', () => {
  it('A poll that waited gets the same headers as a poll that is answered at once, and the length of its body in bytes', async () => {
    const { socket, poll, pollAtOnce, answers, deliver } = await pollingConnection();
    socket.write(poll);
    await deliver('長さ', () => answers().length === 1);
    const [head = '', body = ''] = answers()[0]?.split('\r\n\r\n') ?? [];
    expect(Number(/^Content-Length: (\d+)$/m.exec(head)?.[1])).toBe(Buffer.byteLength(body));
    expect(getEvents.answer.parse(JSON.parse(body)).events).toMatchObject([{ message: { content: '長さ' } }]);
    socket.write(pollAtOnce);
    await vi.waitFor(() => expect(answers()).toHaveLength(2));
    expect(headersIn(answers()[0])).toBe(headersIn(answers()[1]));
  });

  it('The answers on a connection have the order of their requests if a call follows a waiting poll in one packet', async () => {
    const { socket, poll, ownUser, answers, deliver } = await pollingConnection();
    socket.write(poll + ownUser + ownUser);
    await deliver('順番', () => answers().length === 3);
    expect(answers()[0]).toContain('順番');
    for (const answer of answers().slice(1)) expect(answer).toContain('"full_name":"鈴木');
  });

  it('A poll that waits behind another answer on its connection gets its events after that answer', async () => {
    const { socket, poll, ownUser, answers, deliver } = await pollingConnection();
    const other = await pollingConnection();
    socket.write(other.poll + poll + ownUser);
    await deliver('二つ', () => answers().length === 3);
    expect(answers().map((answer) => answer.includes('二つ'))).toEqual([true, true, false]);
  });

  it('The server closes the connection after the answer to a poll that asked for it', async () => {
    const { socket, poll, answers, deliver } = await pollingConnection('Connection: close\r\n');
    const closed = new Promise((resolve) => {
      socket.once('end', resolve);
    });
    socket.write(poll);
    await deliver('最後', () => answers().length === 1);
    await closed;
    expect(answers()[0]).toMatch(/^Connection: close\r$/m);
  });
});

const ask = (method: string, header = '') => `${method} /api/v1/x HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`;

describe('answer in parts', () => {
  const long = 'x'.repeat(2 ** 20);
  const parts = ['{"own":"', `${long}縁`, `${long}側"`, '}\n'];
  const text = parts.join('');
  const logged: Readonly<Record<string, unknown>>[] = [];

  async function listening() {
    const app = Fastify();
    onTestFinished(() => app.close());
    const [body = Buffer.alloc(0), ...rest] = parts.map((part) => Buffer.from(part));
    forward(app, {
      request: ({ takesRest }) => Promise.resolve({ status: 200, headers: {}, body, ...(takesRest ? { rest } : {}) }),
      callerOf: () => ({ authorization: undefined, activity: undefined, memberId: undefined }),
      fileMessages: { senderOf: () => Promise.resolve(1), expect: () => Promise.resolve(), note: () => Promise.resolve() },
      log: (event) => logged.push(event),
    });
    return app.listen({ host: '127.0.0.1', port: 0 });
  }

  it('An answer in parts has the length of all parts in bytes, and keeps its connection open for further requests', async () => {
    const asked = [ask('GET'), ask('HEAD'), ask('GET', 'Connection: close\r\n')];
    const received = await sendRaw(await listening(), asked.join(''));
    const length = Buffer.byteLength(text);
    expect([received?.status, received?.headers['content-length']]).toEqual([200, String(length)]);
    const all = Buffer.from(received?.body ?? '', 'latin1').toString('utf8');
    const [first, head, last] = all.split(/HTTP\/1\.1 200 OK\r\n/);
    expect(first === text).toBe(true);
    expect(head).toContain(`Content-Length: ${length}`);
    expect(last?.endsWith(`\r\n\r\n${text}`)).toBe(true);
  });

  it('A client that closes the connection within an answer in parts harms no other client and is not logged', async () => {
    const address = await listening();
    const socket = connectSocket(Number(new URL(address).port), '127.0.0.1');
    socket.write(ask('GET').repeat(3));
    await once(socket, 'data');
    socket.destroy();
    expect((await (await fetch(`${address}/api/v1/x`)).text()) === text).toBe(true);
    expect(logged).toEqual([]);
  });
});

describe('log of forwarded calls', () => {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const log = (event: Readonly<Record<string, unknown>>) => logged.push(event);
  const app = Fastify().setErrorHandler(errorAnswering(log));
  forward(app, {
    async request({ body }) {
      await body(100);
      throw new Error('broken');
    },
    callerOf: () => ({ authorization: undefined, activity: undefined, memberId: undefined }),
    fileMessages: { senderOf: () => Promise.resolve(1), expect: () => Promise.resolve(), note: () => Promise.resolve() },
    log,
  });
  app.get('/broken', () => Promise.reject(new ServerError(500, 'broken')));

  it.each(['/api/v1/fetch_api_key', '/broken'])('The log names a failed call by its path without the query: %s', async (path) => {
    const answer = await app.inject({ url: `${path}?password=secret` });
    expect([answer.statusCode, logged.splice(0)]).toMatchObject([500, [{ event: 'call_failed', call: `GET ${path}` }]]);
  });

  it('The log does not mention a client that closes the connection while it sends a body', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const arrived = new Promise((resolve) => {
      app.server.once('request', resolve);
    });
    const hungUp = new Promise((resolve) => {
      app.server.once('connection', (socket) => {
        socket.once('close', resolve);
      });
    });
    const socket = connectSocket(Number(new URL(address).port), '127.0.0.1');
    socket.write('POST /api/v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf');
    await arrived;
    socket.destroy();
    await hungUp;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
    expect(logged).toEqual([]);
    await app.close();
  });
});

it('A poll that fails after its answer was written ends its connection, and the log has the error', async () => {
  const logged: Readonly<Record<string, unknown>>[] = [];
  const app = Fastify({ serverFactory: (handler) => createServer({ ServerResponse: WholeResponse }, handler) });
  onTestFinished(() => app.close());
  forward(app, {
    async request({ waiter }) {
      waiter?.deliver({ before: '{', own: '}', shared: Buffer.from('\n') });
      waiter?.fail(new Error('broken'));
      return { status: 200, headers: {}, body: new Uint8Array(), waits: true };
    },
    callerOf: () => ({ authorization: undefined, activity: undefined, memberId: undefined }),
    fileMessages: { senderOf: () => Promise.resolve(1), expect: () => Promise.resolve(), note: () => Promise.resolve() },
    log: (event) => logged.push(event),
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  // Resolves when the server has closed the connection, which the request does not ask for.
  await sendRaw(address, 'GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  expect(logged).toMatchObject([{ event: 'call_failed', error: { message: 'broken' } }]);
});

describe('connection', () => {
  it('The server accepts a request that takes up to half an hour, and headers that take up to a minute', () => {
    const { requestTimeout, headersTimeout } = product.app.server;
    expect([requestTimeout, headersTimeout]).toEqual([30 * 60_000, 60_000]);
  });

  // Node stops `requestTimeout` once the body has arrived; `timeout` would run during a poll.
  it('The server never closes a connection because an answer takes long', () => expect(product.app.server.timeout).toBe(0));
});

describe('address of the chat server', () => {
  it('GET /server_settings returns the real address when the system has picked the port', async () => {
    expect(await product.call('tanaka', getServerSettings, {})).toMatchObject({ realm_url: product.address });
  });
});

describe('closing the product', () => {
  it('When the product closes, it answers all waiting polls', async () => {
    const closing = await runProduct();
    const { queue_id, last_event_id } = await closing.call('suzuki', registerQueue, { event_types: ['message'] });
    const poll = await waitingPoll(() => closing.call('suzuki', getEvents, { queue_id, last_event_id }));
    await closing.close();
    expect((await poll.answer).events).toEqual([]);
    expect(closing.log).toEqual([]);
  });
});
