import * as api from '@engawa/protocol';
import { describe, expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

const notLoggedIn = { status: 401, code: 'UNAUTHORIZED' };
const challenge = { 'WWW-Authenticate': 'Basic realm="zulip"' };
const otherKey = 'x'.repeat(32);

async function ownUserWith(authorization: string | undefined) {
  const headers = authorization === undefined ? {} : { authorization };
  const reply = await eg.visitor(await eg.server()).raw({ path: '/users/me', headers });
  return { ...eg.refusal(reply), headers: reply.headers };
}

it('[R6.2] A member signs a request with email and API key by HTTP basic authentication', async () => {
  const server = await eg.server();
  expect(await eg.signIn(server, 'tanaka').ok(api.getOwnUser, {})).toMatchObject({ email: 'tanaka@example.com' });
  expect(await eg.visitor(server).refused(api.getOwnUser, {})).toMatchObject(notLoggedIn);
});

it('The server answers a request without credentials with 401 and a WWW-Authenticate header', async () => {
  expect(await ownUserWith(undefined)).toMatchObject({
    ...notLoggedIn,
    msg: 'Not logged in: API authentication or user session required',
    headers: challenge,
  });
});

it('The server refuses credentials of another scheme than HTTP basic authentication', async () => {
  expect(await ownUserWith(`Bearer ${otherKey}`)).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    msg: 'This endpoint requires HTTP basic authentication.',
  });
});

it.each([
  ['nothing after the scheme', 'Basic'],
  ['invalid base64', 'Basic !!!!'],
  ['no colon', `Basic ${Buffer.from('tanaka@example.com').toString('base64')}`],
  ['two colons', eg.basic('tanaka@example.com', `${otherKey}:`)],
])('The server refuses a malformed Authorization header: %s', async (_, authorization) => {
  expect(await ownUserWith(authorization)).toMatchObject({
    ...notLoggedIn,
    msg: 'Invalid authorization header for basic auth',
    headers: challenge,
  });
});

it.each([
  ['too short', 'x'.repeat(31)],
  ['too long', 'x'.repeat(33)],
  ['with invalid characters', `${'x'.repeat(31)}-`],
  ['empty', ''],
])('The server answers "Malformed API key" if the API key is %s', async (_, key) => {
  expect(await ownUserWith(eg.basic('tanaka@example.com', key))).toMatchObject({
    status: 401,
    code: 'INVALID_API_KEY',
    msg: 'Malformed API key',
  });
});

it.each([
  '/users/me/muted_users/..',
  '/users/me/muted_users/..#',
  '/users/me/muted_users/%2e%2E',
  '/users/./me',
  '/users/me/x\\..',
])('The server resolves no dots in the path %s, which could lead to another call', async (path) => {
  const server = await eg.server();
  const suzuki = eg.signIn(server, 'suzuki');
  expect(await suzuki.raw({ method: 'DELETE', path })).toMatchObject({ status: 404 });
  expect(await suzuki.ok(api.getOwnUser, {})).toMatchObject({ user_id: server.user('suzuki') });
});

it('The server refuses an unknown API key', async () => {
  expect(await ownUserWith(eg.basic('tanaka@example.com', otherKey))).toMatchObject({
    status: 401,
    code: 'INVALID_API_KEY',
    msg: 'Invalid API key',
  });
});

it('The server refuses an email with the API key of another member with the same error as an unknown key', async () => {
  const server = await eg.server();
  const headers = { authorization: eg.basic('sato@example.com', server.key('tanaka')) };
  const refusal = eg.refusal(await eg.visitor(server).raw({ path: '/users/me', headers }));
  expect(refusal).toMatchObject({ status: 401, code: 'INVALID_API_KEY', msg: 'Invalid API key' });
});

it('The server accepts credentials with the email in another case and with spaces around the API key', async () => {
  const server = await eg.server();
  const authorization = eg.basic('Tanaka@Example.COM', ` ${server.key('tanaka')} `).replace('Basic', 'bAsIC');
  const reply = await eg.visitor(server).raw({ path: '/users/me', headers: { authorization } });
  expect(reply.status).toBe(200);
});

it('The server refuses the credentials of a deactivated member with USER_DEACTIVATED', async () => {
  const server = await eg.server();
  await eg.signIn(server, 'tanaka').ok(api.deactivateUser, { user_id: server.user('sato') });
  expect(await eg.signIn(server, 'sato').refused(api.getUsers, {})).toMatchObject({
    status: 401,
    code: 'USER_DEACTIVATED',
    msg: 'Account is deactivated',
  });
});

it('The server checks the credentials of a call before its parameters', async () => {
  const server = await eg.server();
  const reply = await eg.visitor(server).raw({ path: '/messages', query: { num_before: 'many' } });
  expect(eg.refusal(reply)).toMatchObject(notLoggedIn);
});

const everyCall = [
  ['POST', '/register'],
  ['GET', '/events'],
  ['DELETE', '/events'],
  ['GET', '/users'],
  ['GET', '/users/me'],
  ['GET', '/users/me/subscriptions'],
  ['GET', '/messages'],
  ['POST', '/messages'],
  ['POST', '/messages/flags'],
] as const;

it.each(everyCall)('[R6.1] The server refuses %s %s without credentials', async (method, path) => {
  const server = await eg.server();
  expect(eg.refusal(await eg.visitor(server).raw({ method, path }))).toMatchObject(notLoggedIn);
});

it('The router answers an unknown path with 404 in JSON', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  for (const path of ['/nothing', '/users/me/nothing', '/messages/12x', '']) {
    expect(eg.refusal(await tanaka.raw({ path })), path).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  }
});

it.each(['/', '//', '///', '*', '/api/v2/users', '/json/users', 'http://[', '//[/api/v1/users', '/%zz', '/\\\\', ''])(
  'The router answers a path outside the API with 404: %s',
  async (url) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    expect(eg.refusal(await tanaka.raw({ url }))).toMatchObject({ status: 404 });
  },
);

it.each(['/api/v1/users/me', '/api/v1//users///me', '//api/v1/users/me', '/api//v1/users/me/', '///api/v1/users/me'])(
  'The router ignores doubled and trailing slashes: %s',
  async (url) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    expect((await tanaka.raw({ url })).status).toBe(200);
  },
);

it('The router answers an unsupported method with 405 and the supported methods', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const reply = await tanaka.raw({ method: 'PUT', path: '/messages' });
  const refusal = { status: 405, msg: 'Method Not Allowed', allowed_methods: ['GET', 'POST'] };
  expect(eg.refusal(reply)).toMatchObject(refusal);
  expect(reply.headers).toMatchObject({ Allow: 'GET, POST' });
});

it('The router answers OPTIONS with the supported methods, without credentials', async () => {
  const server = await eg.server();
  const reply = await eg.visitor(server).raw({ method: 'OPTIONS', path: '/events' });
  expect(reply).toMatchObject({ status: 204, text: '' });
  expect(reply.headers['Allow']?.split(', ').toSorted()).toEqual(['DELETE', 'GET']);
});

it('The router accepts HEAD only for paths that support GET', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  expect((await tanaka.raw({ method: 'HEAD', path: '/users' })).status).toBe(200);
  expect((await tanaka.raw({ method: 'HEAD', path: '/register' })).status).toBe(405);
});

it('The router accepts another method in the "method" parameter of a POST, but not of a GET', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { queue_id } = await tanaka.ok(api.registerQueue, {});
  const dropped = await tanaka.raw({ method: 'POST', path: '/events', form: { method: 'delete', queue_id } });
  expect(dropped).toMatchObject({ status: 200, text: '{"result":"success","msg":""}\n' });
  const unknown = await tanaka.raw({ method: 'POST', path: '/events', form: { method: 'BREW' } });
  expect(unknown.status).toBe(405);
  const reading = await tanaka.raw({ method: 'GET', path: '/users', query: { method: 'DELETE' } });
  expect(reading.status).toBe(200);
});

it('An answer of the chat API is JSON with headers that forbid caching', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  for (const path of ['/users', '/nothing']) {
    const { headers, text } = await tanaka.raw({ path });
    expect(headers).toMatchObject({ 'Content-Type': 'application/json', 'Cache-Control': 'private, no-store' });
    expect(text.endsWith('}\n')).toBe(true);
  }
});

it('An answer of the chat API lists the request parameters that the call ignored, but never the parameter “client”', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { text } = await tanaka.raw({ path: '/users', query: { client: 'test', dont_block: 'true', color: 'red' } });
  expect(JSON.parse(text)).toMatchObject({ ignored_parameters_unsupported: ['dont_block', 'color'] });
  const plain = await tanaka.raw({ path: '/users', query: { client: 'test' } });
  expect(JSON.parse(plain.text)).not.toHaveProperty('ignored_parameters_unsupported');
});

it('When the database is full, the chat API answers with 503 and asks to retry', async () => {
  const server = await eg.server({ maxBytes: 4096 });
  const tanaka = eg.signIn(server, 'tanaka');
  const large = { type: 'stream', to: eg.general, topic: 't', content: '縁'.repeat(10_000) };
  // Afterwards no change of the start can be in the transaction of the sends.
  await tanaka.ok(api.registerQueue, {});
  const refusals = await Promise.all(Array.from({ length: 20 }, () => tanaka.refused(api.sendMessage, large)));
  expect(refusals[19]).toMatchObject({ status: 503, code: 'STORAGE_FULL', 'retry-after': 5 });
  // One report for all refused calls.
  const reported = { level: 'error', event: 'storage_unwritable', database: 'chat.db', reason: 'full' };
  expect(server.reports()).toMatchObject([reported]);
  const { messages } = await tanaka.ok(api.getMessages, { anchor: 'newest', num_before: 5, num_after: 0 });
  expect(messages).toEqual([]);
  // The smaller writes on close succeed.
  await server.close();
  expect(server.reports()).toMatchObject([{ level: 'warn', event: 'storage_writable_again', refused: 20 }]);
});

it('When the server is closed, the chat API answers with 503, asks to retry, and logs nothing', async () => {
  const server = await eg.server();
  const tanaka = eg.signIn(server, 'tanaka');
  await server.close();
  const refusals = [
    await tanaka.refused(api.getOwnUser, {}),
    await tanaka.refused(api.sendMessage, message),
    await eg.visitor(server).refused(api.getServerSettings, {}),
  ];
  const tryAgain = { result: 'error', status: 503, code: 'INTERNAL', msg: 'Internal server error' };
  expect(refusals).toEqual([tryAgain, tryAgain, tryAgain]);
  expect(server.reports()).toEqual([]);
});

const message = { type: 'stream', to: eg.general, topic: '挨拶', content: 'こんにちは ☕' };

type Texts = Readonly<Record<string, string>>;

/** A call with one invalid parameter. */
interface WrongParameter {
  readonly query?: Texts;
  readonly flagChange?: Texts;
  readonly poll?: Texts;
  readonly register?: Texts;
  readonly send?: Texts;
  /** The parameter name in REQUEST_VARIABLE_INVALID. */
  readonly invalid?: string;
  /** The error message otherwise. */
  readonly msg?: string;
}

function requestWith({ query, flagChange, poll, register, send }: WrongParameter): eg.RawRequest {
  const flags = { messages: '[]', op: 'add', flag: 'read' };
  if (flagChange) return { method: 'POST', path: '/messages/flags', form: { ...flags, ...flagChange } };
  if (poll) return { path: '/events', query: { queue_id: 'q', last_event_id: '0', ...poll } };
  if (register) return { method: 'POST', path: '/register', form: register };
  if (send) return { method: 'POST', path: '/messages', form: { ...message, ...send } };
  return { path: '/messages', query: { anchor: 'newest', num_before: '1', num_after: '0', ...query } };
}

/** The stored message that the request sent, as "topic: content". */
async function sendRaw(request: eg.RawRequest): Promise<string> {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const reply = await tanaka.raw({ method: 'POST', path: '/messages', ...request });
  const { id } = api.sendMessage.answer.parse(JSON.parse(reply.text));
  const asked = { anchor: String(id), num_before: 0, num_after: 0, apply_markdown: false };
  const { messages } = await tanaka.ok(api.getMessages, asked);
  return messages.map(({ subject, content }) => `${subject}: ${content}`).join();
}

it('[R7.5] The server reads parameters from a urlencoded form', async () => {
  expect(await sendRaw({ form: message })).toBe('挨拶: こんにちは ☕');
});

it('The server reads parameters from a multipart form', async () => {
  const body = new FormData();
  for (const [name, value] of Object.entries(message)) body.set(name, value);
  body.set('picture', new Blob(['no text']), 'picture.png');
  expect(await sendRaw({ body })).toBe('挨拶: こんにちは ☕');
});

it('The server reads parameters from the query of a request with any method', async () => {
  expect(await sendRaw({ query: message })).toBe('挨拶: こんにちは ☕');
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { queue_id } = await tanaka.ok(api.registerQueue, {});
  expect((await tanaka.raw({ method: 'DELETE', path: '/events', query: { queue_id } })).status).toBe(200);
});

it('The server reads parameters from the body of a DELETE request', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const { queue_id } = await tanaka.ok(api.registerQueue, {});
  expect((await tanaka.raw({ method: 'DELETE', path: '/events', form: { queue_id } })).status).toBe(200);
});

it('If a parameter is in the body and in the query, the server reads it from the body', async () => {
  expect(await sendRaw({ form: message, query: { content: 'from the query' } })).toBe('挨拶: こんにちは ☕');
});

it('The server accepts a parameter under its old name, but refuses a call that has both names', async () => {
  const { topic, ...rest } = message;
  expect(await sendRaw({ form: { ...rest, subject: topic } })).toBe('挨拶: こんにちは ☕');
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const both = await tanaka.raw({ method: 'POST', path: '/messages', form: { ...message, subject: topic } });
  expect(eg.refusal(both)).toMatchObject({
    status: 400,
    code: 'REQUEST_CONFUSING_VAR',
    msg: "Can't decide between 'topic' and 'subject' arguments",
    var_name1: 'topic',
    var_name2: 'subject',
  });
});

it.each(['null', ''])(
  'The server treats an optional parameter that is not a text as absent when its value is “%s”',
  async (nothing) => {
    const tanaka = eg.signIn(await eg.server(), 'tanaka');
    const form = { event_types: nothing, fetch_event_types: nothing, narrow: nothing, apply_markdown: nothing };
    const { text } = await tanaka.raw({ method: 'POST', path: '/register', form });
    expect(api.registerQueue.answer.parse(JSON.parse(text))).toHaveProperty('realm_users');
  },
);

it.each<[string, WrongParameter]>([
  ['not a number', { query: { num_before: 'abc' }, invalid: 'num_before' }],
  ['a negative number', { query: { num_after: '-1' }, invalid: 'num_after' }],
  ['a malformed narrow', { query: { narrow: '{' }, invalid: 'narrow' }],
  ['a narrow that is not a list', { query: { narrow: '{}' }, invalid: 'narrow' }],
  ['a narrow of numbers', { query: { narrow: '[5]' }, invalid: 'narrow' }],
  ['invalid JSON', { query: { apply_markdown: 'True' }, msg: 'Argument "apply_markdown" is not valid JSON.' }],
  ['not a boolean', { query: { apply_markdown: '1' }, msg: 'apply_markdown is not a boolean' }],
  ['a string among ids', { flagChange: { messages: '[1,"2"]' }, msg: 'messages[1] is not an integer' }],
  ['not a list', { flagChange: { messages: '7' }, msg: 'messages is not a list' }],
  ['null where a value is required', { flagChange: { messages: 'null' }, msg: 'messages is not a list' }],
  ['a fraction', { poll: { last_event_id: '1.5' }, msg: 'last_event_id is not an integer' }],
  ['a number out of range', { poll: { last_event_id: '1e400' }, msg: 'last_event_id is not an integer' }],
  ['not a dict', { register: { client_capabilities: '[]' }, msg: 'client_capabilities is not a dict' }],
  ['too long', { send: { local_id: 'x'.repeat(101) }, msg: 'local_id is too long (limit: 100 characters)' }],
])('The error answer to a call with an invalid parameter names the parameter: %s', async (_, { invalid, msg, ...wrong }) => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const refusal = eg.refusal(await tanaka.raw(requestWith(wrong)));
  if (invalid === undefined) {
    expect(refusal).toMatchObject({ status: 400, code: 'BAD_REQUEST', msg });
  } else {
    const bad_value = wrong.query?.[invalid];
    const invalidity = { code: 'REQUEST_VARIABLE_INVALID', msg: `Bad value for '${invalid}': ${bad_value}` };
    expect(refusal).toMatchObject({ status: 400, ...invalidity, var_name: invalid, bad_value });
  }
});

it('The error answer to a call with a missing parameter names the parameter', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const reply = await tanaka.raw({ path: '/messages', query: { anchor: 'newest', num_after: '0' } });
  expect(eg.refusal(reply)).toMatchObject({
    status: 400,
    code: 'REQUEST_VARIABLE_MISSING',
    msg: "Missing 'num_before' argument",
    var_name: 'num_before',
  });
});

it('The server ignores unknown parameters that are named like properties of Object.prototype', async () => {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  const reply = await tanaka.raw({ path: '/users?__proto__=1&constructor=2&toString=3' });
  const ignored = ['__proto__', 'constructor', 'toString'];
  expect(JSON.parse(reply.text)).toMatchObject({ ignored_parameters_unsupported: ignored });
});

async function post(request: eg.RawRequest) {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  return eg.refusal(await tanaka.raw({ method: 'POST', path: '/messages', ...request }));
}

it('The server refuses a request body of more than 1 MiB', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await post({ headers, body: `content=${'x'.repeat(1024 * 1024)}` })).toMatchObject({
    status: 413,
    code: 'PAYLOAD_TOO_LARGE',
  });
});

it('The server reads a request body of exactly 1 MiB', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'content='.padEnd(1024 * 1024, 'x');
  expect(await post({ headers, body })).toMatchObject({ status: 400, code: 'REQUEST_VARIABLE_MISSING' });
});

it.each(['application/json', 'text/plain', ''])(
  'The server refuses a request body of an unknown content type: “%s”',
  async (type) => {
    const refusal = await post({ headers: { 'content-type': type }, body: '{}' });
    expect(refusal).toMatchObject({ status: 415, code: 'BAD_REQUEST' });
  },
);

it.each(['multipart/form-data', 'multipart/form-data; boundary=x', 'multipart/form-data; boundary='])(
  'The server refuses a request body that is not valid multipart: %s',
  async (type) => {
    expect(await post({ headers: { 'content-type': type }, body: 'not at all' })).toMatchObject({ status: 400 });
  },
);

async function clientNameOf(headers: Texts, extra: Texts = {}): Promise<string | undefined> {
  const tanaka = eg.signIn(await eg.server(), 'tanaka');
  await tanaka.raw({ method: 'POST', path: '/messages', form: { ...message, ...extra }, headers });
  const { messages } = await tanaka.ok(api.getMessages, { anchor: 'newest', num_before: 1, num_after: 0 });
  return messages[0]?.client;
}

it('A message’s client name comes from the parameter “client”, or else from the User-Agent header, or else is "Unspecified"', async () => {
  expect(await clientNameOf({ 'user-agent': 'ZulipPython/0.9.1' }, { client: 'website' })).toBe('website');
  expect(await clientNameOf({ 'user-agent': 'ZulipPython/0.9.1 (Linux)' })).toBe('ZulipPython');
  expect(await clientNameOf({ 'user-agent': '' })).toBe('Unspecified');
});

it('The server shortens the client name of a message to 30 characters', async () => {
  expect(await clientNameOf({}, { client: 'x'.repeat(31) })).toBe('x'.repeat(30));
});

const withSecret = eg.organisation({ messages: [eg.pastMessage('secret', { by: 'suzuki', stream: eg.board })] });

/** An answer without the requested name. */
function shape(answer: object, name: string | number): string {
  return JSON.stringify(answer).replaceAll(String(name), 'X');
}

describe('[R6.1] Missing and forbidden objects', () => {
  const unknown = 987_654;

  it.each([
    ['name', (server: eg.Server) => [eg.board, 'no such', server] as const],
    ['id', (server: eg.Server) => [server.stream(eg.board), unknown, server] as const],
  ])(
    'The server answers equally for a stream, named by %s, that does not exist and one that the member cannot see',
    async (_, names) => {
      const [forbidden, missing, server] = names(await eg.server({ organisation: withSecret }));
      const sato = eg.signIn(server, 'sato');
      const send = async (to: string | number) => shape(await sato.refused(api.sendMessage, { ...message, to: String(to) }), to);
      expect(await send(forbidden)).toBe(await send(missing));
      const read = async (operand: string | number) => {
        const narrow = [{ operator: 'stream', operand }];
        return shape(await sato.refused(api.getMessages, { anchor: 'newest', num_before: 9, num_after: 0, narrow }), operand);
      };
      expect(await read(forbidden)).toBe(await read(missing));
    },
  );

  it('The server answers equally for a message that does not exist and one that the member may not read', async () => {
    const server = await eg.server({ organisation: withSecret });
    const sato = eg.signIn(server, 'sato');
    const [secret = 0] = server.messages;
    const star = (id: number) => sato.refused(api.updateMessageFlags, { messages: [id], op: 'add', flag: 'starred' });
    expect(await star(secret)).toEqual(await star(unknown));
    const at = (id: number) => sato.ok(api.getMessages, { anchor: String(id), num_before: 0, num_after: 0 });
    expect({ ...(await at(secret)), anchor: 0 }).toEqual({ ...(await at(unknown)), anchor: 0 });
  });
});
