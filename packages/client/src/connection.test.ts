import { expect, it } from 'vitest';
import { eg } from '../test/eg.ts';
import { fakeClock } from '../test/fakeClock.ts';
import { refusal, success, type Answer } from '../test/scriptedServer.ts';
import {
  editMessage,
  getMessages,
  getServerSettings,
  getUsers,
  sendMessage,
  updateMessageFlags,
  updateSettings,
} from './calls.ts';
import { connect } from './connection.ts';
import {
  ApiError,
  isApiError,
  MalformedAnswerError,
  NetworkError,
  RateLimitedError,
  ServerError,
  TimeoutError,
} from './errors.ts';

it('[R3.6] A connection sends a request to the realm’s address plus /api/v1', () => {
  const connection = connect({ realm: 'https://chat.example.com/', username: 'ai@engawa.example', apiKey: 'key' });
  expect(connection).toMatchObject({
    realm: 'https://chat.example.com',
    username: 'ai@engawa.example',
    apiKey: 'key',
    apiURL: 'https://chat.example.com/api/v1',
  });
  expect(connect({ realm: 'https://chat.example.com', apiURL: '/chat/api' }).apiURL).toBe('/chat/api');
});

it('[R7.5] A GET request has Basic authorization, and its parameters in the query string', async () => {
  const { server, connection } = await eg([success({ members: [] })]);
  await getUsers(connection, { client_gravatar: false });
  expect(server.received[0]).toMatchObject({
    call: 'GET /api/v1/users',
    query: { client_gravatar: 'false' },
    headers: { authorization: `Basic ${Buffer.from(`ai@engawa.example:${'k'.repeat(32)}`).toString('base64')}` },
  });
});

it('[R7.5] A POST request has its parameters as form data, and arrays as JSON', async () => {
  const { server, connection } = await eg([success({ messages: [1, 2] })]);
  await updateMessageFlags(connection, { messages: [1, 2], op: 'add', flag: 'read' });
  expect(server.received[0]).toMatchObject({
    call: 'POST /api/v1/messages/flags',
    query: {},
    form: { messages: '[1,2]', op: 'add', flag: 'read' },
  });
  expect(server.received[0]?.headers['content-type']).toMatch('application/x-www-form-urlencoded');
});

it('The server receives Japanese text in form data and in credentials unchanged', async () => {
  const { server } = await eg([success({ id: 1 })]);
  const connection = connect({ realm: server.site, username: '愛@engawa.example', apiKey: 'key' });
  await sendMessage(connection, { type: 'stream', to: '開発本部', topic: 'stream events', content: '1+1=2 & 3%' });
  expect(server.received[0]?.form).toMatchObject({ to: '開発本部', content: '1+1=2 & 3%' });
  const credentials = Buffer.from('愛@engawa.example:key').toString('base64');
  expect(server.received[0]?.headers.authorization).toBe(`Basic ${credentials}`);
});

it('A connection replaces {name} parts of a path by parameter values', async () => {
  const { server, connection } = await eg([success({})]);
  await editMessage(connection, { message_id: 7, content: 'お疲れさまです' });
  expect(server.received[0]).toMatchObject({ call: 'PATCH /api/v1/messages/7', form: { content: 'お疲れさまです' } });
});

it('A request has no Authorization header if its call needs no sign-in', async () => {
  const { server, connection } = await eg([refusal(400, 'BAD_REQUEST', 'no')]);
  await expect(getServerSettings(connection, {})).rejects.toThrow('no');
  expect(server.received[0]?.headers.authorization).toBeUndefined();
});

it('A connection adds its configured headers to every request, with or without credentials', async () => {
  const { server } = await eg([success({ members: [] }), refusal(400, 'BAD_REQUEST', 'no')]);
  const headers = { 'engawa-member': '7' };
  const connection = connect({ realm: server.site, username: 'ai@engawa.example', apiKey: 'key', headers });
  await getUsers(connection, {});
  await expect(getServerSettings(connection, {})).rejects.toThrow('no');
  const authorization = `Basic ${Buffer.from('ai@engawa.example:key').toString('base64')}`;
  expect(server.received.map((request) => request.headers)).toMatchObject([{ ...headers, authorization }, headers]);
});

it('A request uses the session cookie when the connection has no API key', async () => {
  const { connection, requests } = recordingConnection();
  await getUsers(connection, {});
  expect(requests[0]).toMatchObject({ credentials: 'same-origin', headers: {}, keepalive: false });
});

it('A request uses keepalive when the caller asks for it and the body is small', async () => {
  const { connection, requests } = recordingConnection();
  await getUsers(connection, {}, { keepalive: true });
  await updateSettings(connection, { full_name: '長'.repeat(10_000) }, { keepalive: true });
  // Browsers reject large keepalive bodies.
  expect(requests.map(({ keepalive }) => keepalive)).toEqual([true, false]);
});

/** A connection that records its requests. */
function recordingConnection() {
  const requests: RequestInit[] = [];
  const connection = connect({
    realm: 'https://chat.example',
    fetch: (_, init) => {
      requests.push(init ?? {});
      return Promise.resolve(Response.json({ result: 'success', members: [] }));
    },
  });
  return { connection, requests };
}

async function failureOf(...answers: readonly Answer[]): Promise<unknown> {
  const { connection } = await eg(answers);
  return getMessages(connection, { anchor: 'newest', num_before: 20, num_after: 0 }).catch((error: unknown) => error);
}

it('[R8.1, R8.2] An answer that is not JSON throws an error that refers to the API documentation', async () => {
  const error = await failureOf({ html: '<h1>It works!</h1>' });
  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect(error).toMatchObject({
    message: 'The server returned a non-JSON response. Please check the API documentation.',
  });
});

it('[R8.1, R8.2] An answer with status 404 that is not JSON throws an error that says the endpoint may not exist', async () => {
  const error = await failureOf({ status: 404, html: 'Not found' });
  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect(error).toMatchObject({
    status: 404,
    message: 'The server returned a non-JSON response. The endpoint GET /messages may not exist.',
  });
});

it('An answer whose fields do not match the documentation throws MalformedAnswerError', async () => {
  expect(await failureOf(success({ messages: 'none' }))).toBeInstanceOf(MalformedAnswerError);
  expect(await failureOf({ status: 302, json: {} })).toBeInstanceOf(MalformedAnswerError);
});

it('An error answer throws ApiError with the code and data', async () => {
  const error = await failureOf(refusal(400, 'STREAM_DOES_NOT_EXIST', "Stream 'x' does not exist", { stream: 'x' }));
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: 'STREAM_DOES_NOT_EXIST', data: { stream: 'x' } });
});

it('isApiError recognises every ApiError, and with a code only an ApiError with this code', async () => {
  const error = await failureOf(refusal(400, 'BAD_EVENT_QUEUE_ID', 'Bad event queue ID: q', { queue_id: 'q' }));
  expect(isApiError(error)).toBe(true);
  expect(isApiError(error, 'BAD_EVENT_QUEUE_ID')).toBe(true);
  expect(isApiError(error, 'BAD_NARROW')).toBe(false);
  expect(isApiError(await failureOf('cut'))).toBe(false);
});

it('An error answer throws ApiError whatever its status is and even if it has no code', async () => {
  const error = await failureOf({ json: { result: 'error', msg: 'no' } });
  expect(error).toMatchObject({ name: 'ApiError', code: 'BAD_REQUEST' });
});

it('After an answer with status 429, the client waits as long as the body says, or else the Retry-After header', async () => {
  const limit = { result: 'error', code: 'RATE_LIMIT_HIT', msg: 'slow', 'retry-after': 2.5 };
  const error = await failureOf({ status: 429, headers: { 'Retry-After': '3' }, json: limit });
  expect(error).toBeInstanceOf(RateLimitedError);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ retryAfterSeconds: 2.5 });
  const byProxy = await failureOf({ status: 429, headers: { 'Retry-After': '7' }, html: 'slow down' });
  expect(byProxy).toMatchObject({ retryAfterSeconds: 7, code: 'RATE_LIMIT_HIT' });
  const byZulip = await failureOf({ status: 429, headers: { 'Retry-After': '0.25' }, json: {} });
  expect(byZulip).toMatchObject({ retryAfterSeconds: 0.25 });
});

it('The client reads a date in the Retry-After header of an answer with status 429', async () => {
  const clock = fakeClock(Date.UTC(2026, 10, 20, 9, 0, 0));
  const until = { status: 429, headers: { 'Retry-After': 'Fri, 20 Nov 2026 09:00:30 GMT' }, json: {} };
  const { connection } = await eg([until], { clock });
  await expect(getUsers(connection, {})).rejects.toMatchObject({ retryAfterSeconds: 30 });
});

it.each([undefined, '', 'soon', '-3', 'Thu, 19 Nov 2020 09:00:00 GMT'])(
  'An answer with status 429 and the invalid Retry-After header “%s” makes the client wait one second',
  async (header) => {
    const headers = header === undefined ? {} : { 'Retry-After': header };
    expect(await failureOf({ status: 429, headers, html: 'slow down' })).toMatchObject({ retryAfterSeconds: 1 });
  },
);

it('An answer with status 429 never makes the client wait more than an hour', async () => {
  const error = await failureOf({ status: 429, headers: { 'Retry-After': '99999999999' }, json: {} });
  expect(error).toMatchObject({ retryAfterSeconds: 3600 });
});

it('An answer with status 5xx throws ServerError, with or without JSON', async () => {
  const broken = await failureOf({ status: 500, json: { result: 'error', msg: 'Internal server error' } });
  expect(broken).toBeInstanceOf(ServerError);
  expect(broken).toMatchObject({ status: 500, message: 'Internal server error' });
  const notReady = { result: 'error', msg: 'Search is not ready yet.', code: 'SEARCH_NOT_READY' };
  expect(await failureOf({ status: 503, json: notReady })).toMatchObject({ status: 503, code: 'SEARCH_NOT_READY' });
  const gateway = await failureOf({ status: 502, html: '<h1>Bad Gateway</h1>' });
  expect(gateway).toBeInstanceOf(ServerError);
  expect(gateway).toMatchObject({ code: undefined });
});

it('An incomplete or missing answer throws NetworkError', async () => {
  const error = await failureOf('cut');
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ cause: expect.any(TypeError) });
});

it('An answer that takes too long throws TimeoutError', async () => {
  const { server } = await eg(['hold']);
  const clock = fakeClock();
  const connection = connect({ realm: server.site, clock });
  const pending = getUsers(connection, {}, { timeoutMilliseconds: 5000 }).catch((error: unknown) => error);
  await server.arrived(1);
  await clock.pass(5000);
  expect(await pending).toBeInstanceOf(TimeoutError);
  await server.released;
});

it('A call that is aborted by its signal rejects with the reason of the signal', async () => {
  const { server, connection } = await eg(['hold']);
  const controller = new AbortController();
  const pending = getUsers(connection, {}, { signal: controller.signal });
  await server.arrived(1);
  controller.abort(new Error('changed my mind'));
  await expect(pending).rejects.toThrow('changed my mind');
});
