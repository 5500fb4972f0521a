/** Sends requests that no client sends, over a raw socket: each is refused, and nothing changes. */
import { getMessages, getOwnUser, sendMessage } from '@engawa/protocol';
import { profile } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { runProductForFile } from '../testing/product.ts';
import { sendRaw } from '../testing/rawSocket.ts';

// Requests must be refused for their form, not by the rate limit.
const product = await runProductForFile({ RATE_LIMIT: 'none' });
const cookie = await product.cookieOf('tanaka');
const authorization = await product.basicOf('tanaka');
const host = new URL(product.address).host;

const said = { type: 'stream', to: 'プロダクト開発部', topic: '密輸', content: '密輸した' };
const form = new URLSearchParams(said).toString();
const sized = (body: string) => [`Content-Length: ${Buffer.byteLength(body)}`, '', body];
const asForm = ['Content-Type: application/x-www-form-urlencoded', ...sized(form)];
const own = [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin'];

/** The connection closes after the answer, so a smuggled request would be answered after it. */
function raw(line: string, lines: readonly string[], { named = [`Host: ${host}`] }: { readonly named?: string[] } = {}) {
  const all = [line, ...named, 'Connection: close', ...lines];
  return all.includes('') ? all.join('\r\n') : `${all.join('\r\n')}\r\n\r\n`;
}

/** Everything that a smuggled request could have changed. */
async function state(): Promise<unknown> {
  const newest = { anchor: 'newest', num_before: 1, num_after: 0 } as const;
  const { messages } = await product.call('sato', getMessages, newest);
  const { full_name } = await product.call('tanaka', getOwnUser, {});
  const place = profile.parse((await product.app.inject({ url: '/api/profile', headers: { host, authorization } })).json());
  const signedIn = await product.app.inject({ url: '/api/sessions', headers: { host, cookie } });
  return { newest: messages.map(({ id }) => id), full_name, place, status: signedIn.statusCode };
}

type Request = readonly [what: string, bytes: string, statuses: readonly (number | undefined)[]];

async function isRefused([, bytes, statuses]: Request): Promise<void> {
  const before = await state();
  const answer = await sendRaw(product.address, bytes);
  expect(statuses).toContain(answer?.status);
  // There is one answer per request.
  expect(answer?.body ?? '').not.toContain('HTTP/1.1');
  expect(await state()).toEqual(before);
}

it('The valid request, from which this file derives its invalid ones, sends a message', async () => {
  const before = await state();
  const answer = await sendRaw(product.address, raw('POST /api/v1/messages HTTP/1.1', [...own, ...asForm]));
  expect(answer?.status).toBe(200);
  expect(await state()).not.toEqual(before);
});

const over = (header: string) => [...own, header];

describe('method', () => {
  const query = new URLSearchParams({ ...said, method: 'POST' }).toString();

  it.each<Request>([
    [
      'a GET with another in X-HTTP-Method-Override',
      raw('GET /api/v1/messages HTTP/1.1', [...over('X-HTTP-Method-Override: POST'), ...asForm]),
      [400],
    ],
    [
      'a GET with another in X-HTTP-Method',
      raw('GET /api/v1/messages HTTP/1.1', [...over('X-HTTP-Method: POST'), ...asForm]),
      [400],
    ],
    [
      'a GET with another in X-Method-Override',
      raw('GET /api/v1/messages HTTP/1.1', [...over('X-Method-Override: POST'), ...asForm]),
      [400],
    ],
    ['a GET with another in its query', raw(`GET /api/v1/messages?${query} HTTP/1.1`, own), [400]],
    ['a GET with another in _method', raw(`GET /api/v1/messages?_method=POST&${form} HTTP/1.1`, own), [400]],
    ['a GET with the body of a POST', raw('GET /api/v1/messages HTTP/1.1', [...own, ...asForm]), [400]],
    ['a HEAD with the body of a POST', raw('HEAD /api/v1/messages HTTP/1.1', [...own, ...asForm]), [400]],
    ['a HEAD of the sign-out, which only leads to its question', raw('HEAD /logout HTTP/1.1', own), [303]],
    ['a DELETE in the query of a GET', raw('GET /api/sessions?method=DELETE&_method=DELETE HTTP/1.1', own), [200]],
    ['a DELETE in X-HTTP-Method-Override', raw('POST /api/sessions HTTP/1.1', over('X-HTTP-Method-Override: DELETE')), [404]],
    ['an OPTIONS of a change', raw('OPTIONS /api/sessions HTTP/1.1', own), [404]],
    ['an OPTIONS with the body of a POST', raw('OPTIONS /api/v1/messages HTTP/1.1', [...own, ...asForm]), [204]],
    ['a TRACE', raw('TRACE /api/v1/users/me HTTP/1.1', own), [405]],
    ['a TRACK', raw('TRACK / HTTP/1.1', own), [400]],
    ['a CONNECT', raw('CONNECT evil.example:443 HTTP/1.1', own), [undefined]],
    ['a PROPFIND', raw('PROPFIND /api/v1/messages HTTP/1.1', own), [405]],
    ['a lowercase post', raw('post /api/v1/messages HTTP/1.1', [...own, ...asForm]), [400]],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ])('The server uses only the method in the request line: %s', async (...request) => isRefused(request));
});

describe('body', () => {
  const chunked = `${Buffer.byteLength(form).toString(16)}\r\n${form}\r\n0\r\n\r\n`;
  const inner = raw('POST /api/v1/messages HTTP/1.1', [...own, ...asForm]);
  const types = 'Content-Type: application/x-www-form-urlencoded';

  it.each<Request>([
    ['two lengths', raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Content-Length: 0', ...sized(form)]), [400]],
    [
      'the same length twice',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, ...sized(form).slice(0, 1), ...sized(form)]),
      [400],
    ],
    [
      'a length and chunks',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Transfer-Encoding: chunked', 'Content-Length: 4', '', chunked]),
      [400],
    ],
    [
      'chunks and a length',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Content-Length: 4', 'Transfer-Encoding: chunked', '', chunked]),
      [400],
    ],
    [
      'another transfer coding',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Transfer-Encoding: xchunked', '', chunked]),
      [400],
    ],
    [
      'chunks that are not the last coding',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Transfer-Encoding: chunked, identity', '', chunked]),
      [400],
    ],
    [
      'two codings',
      raw('POST /api/v1/messages HTTP/1.1', [
        ...own,
        types,
        'Transfer-Encoding: gzip',
        'Transfer-Encoding: chunked',
        '',
        chunked,
      ]),
      [400],
    ],
    ['a negative length', raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Content-Length: -1', '', form]), [400]],
    [
      'a length with a plus sign',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, `Content-Length: +${form.length}`, '', form]),
      [400],
    ],
    ['a length in hex', raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Content-Length: 0x10', '', form]), [400]],
    [
      'two lengths in one header',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Content-Length: 5, 5', '', form]),
      [400],
    ],
    [
      'an invalid chunk size',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Transfer-Encoding: chunked', '', `-1\r\n${form}\r\n0\r\n\r\n`]),
      [400],
    ],
    [
      'an oversized chunk size',
      raw('POST /api/v1/messages HTTP/1.1', [
        ...own,
        types,
        'Transfer-Encoding: chunked',
        '',
        `fffffffffffffffff\r\n${form}\r\n0\r\n\r\n`,
      ]),
      [400],
    ],
    [
      'a request in the body of a GET',
      raw('GET /api/session HTTP/1.1', [`Content-Length: ${Buffer.byteLength(inner)}`, '', inner]),
      [200],
    ],
    [
      'two types',
      raw('POST /api/v1/messages HTTP/1.1', [...own, types, 'Content-Type: application/json', ...sized(form)]),
      [400],
    ],
  ])('The server refuses a body without one unambiguous length: %s', async (...request) => isRefused(request));
});

describe('header', () => {
  const post = 'POST /api/v1/messages HTTP/1.1';

  it.each<Request>([
    ['continued on the next line', raw(post, [...own, 'X-Note: one', ' two', ...asForm]), [400]],
    ['with a space before its colon', raw(post, [...own, 'Transfer-Encoding : chunked', ...asForm]), [400]],
    ['with a space before its name', raw(post, [' X-Note: one', ...own, ...asForm]), [400]],
    ['without a colon', raw(post, [...own, 'X-Note', ...asForm]), [400]],
    ['with a NUL', raw(post, [...own, 'X-Note: a\0b', ...asForm]), [400]],
    ['with a lone CR', raw(post, [...own, 'X-Note: a\rContent-Length: 0', ...asForm]), [400]],
    ['ended by a lone LF', raw(post, [...own, ...asForm]).replace('\r\nCookie', '\nCookie'), [400]],
    [
      'of more than a hundred',
      raw(post, [...own, ...Array.from({ length: 120 }, (_, index) => `X-${index}: y`), ...asForm]),
      [431],
    ],
    ['of an excessive size', raw(post, [...own, `X-Note: ${'x'.repeat(20_000)}`, ...asForm]), [431]],
    ['with two credentials', raw(post, [`Authorization: ${authorization}`, 'Authorization: Basic eDp5', ...asForm]), [400]],
  ])('The server refuses a header that is ambiguous or on more than one line: %s', async (...request) => isRefused(request));
});

const asks = (line: string, named: string[]) => raw(line, [...own, ...asForm], { named });

describe('host header', () => {
  const post = 'POST /api/v1/messages HTTP/1.1';

  it.each<Request>([
    ['none', asks(post, []), [421]],
    ['none, by HTTP/1.0', asks('POST /api/v1/messages HTTP/1.0', []), [421]],
    ['an empty one', asks(post, ['Host: ']), [421]],
    ['two of them', asks(post, [`Host: ${host}`, 'Host: evil.example']), [400]],
    ['the same twice', asks(post, [`Host: ${host}`, `Host: ${host}`]), [400]],
    ['another by rebinding', asks(post, [`Host: evil.example:${new URL(product.address).port}`]), [421]],
    ['another with the same prefix', asks(post, ['Host: localhost.evil.example']), [421]],
    ['two in one', asks(post, ['Host: localhost, evil.example']), [421]],
    ['another in X-Forwarded-Host', asks(post, ['Host: evil.example', 'X-Forwarded-Host: localhost']), [421]],
    ['another in the target', asks('POST http://evil.example/api/v1/messages HTTP/1.1', [`Host: ${host}`]), [400]],
    ['the own in the target', asks(`POST http://${host}/api/v1/messages HTTP/1.1`, [`Host: ${host}`]), [400]],
    [
      'another in the target that begins with slashes',
      asks('POST //evil.example/api/v1/messages HTTP/1.1', [`Host: ${host}`]),
      [404],
    ],
  ])('The server refuses a request without exactly one Host header that names it: %s', async (...request) => isRefused(request));
});

const to = (target: string) => raw(`POST ${target} HTTP/1.1`, [...own, ...asForm]);

describe('target', () => {
  it.each<Request>([
    ['a parent segment', to('/api/nowhere/../v1/messages'), [400]],
    ['a dot segment', to('/api/v1/./messages'), [400]],
    ['an encoded parent segment', to('/api/v1/x/%2e%2e/messages'), [400]],
    ['a half-encoded parent segment', to('/api/v1/x/.%2E/messages'), [400]],
    ['an encoded slash', to('/api/v1%2fmessages'), [400]],
    ['a backslash', to('/api/v1\\messages'), [400]],
    ['an encoded backslash', to('/api/v1/x%5c..%5cmessages'), [400]],
    ['an encoded NUL', to('/api/v1/messages%00'), [400]],
    ['a NUL', to('/api/v1/messages\0'), [400]],
    ['a blank', to('/api/v1/mess ages'), [400]],
    ['an overlong encoding of a slash', to('/api/v1%c0%afmessages'), [400, 404]],
    ['an overlong encoding of a dot', to('/api/v1/%c0%ae%c0%ae/messages'), [400, 404]],
    ['a double-encoded slash', to('/api/v1%252fmessages'), [404]],
    ['other letter case', to('/API/v1/messages'), [404]],
    ['two slashes before the call', to('//api/v1/messages'), [404]],
    ['a semicolon', to('/api/v1/messages;x=1'), [404]],
    ['a fragment', to('/api/v1/messages#x'), [400]],
    ['the whole server', raw('OPTIONS * HTTP/1.1', own), [400]],
    ['an excessive length', to(`/api/v1/messages?x=${'x'.repeat(20_000)}`), [431]],
    ['a path out of the screens', raw('GET /assets/../../../../etc/passwd HTTP/1.1', []), [400]],
    ['an encoded path out of the screens', raw('GET /assets/%2e%2e/%2e%2e/engawa.db HTTP/1.1', []), [400]],
    ['a double-encoded path out of the screens', raw('GET /assets/%252e%252e/engawa.db HTTP/1.1', []), [404]],
    ['the data folder', raw('GET /../data/engawa.db HTTP/1.1', []), [400]],
  ])('The server refuses a request whose target is not an unambiguous path: %s', async (...request) => isRefused(request));
});

describe('cross-site change', () => {
  const post = 'POST /api/v1/messages HTTP/1.1';
  const json = (body: object, type = 'application/json') => [`Content-Type: ${type}`, ...sized(JSON.stringify(body))];
  const signIn = (lines: readonly string[]) => raw('POST /api/session HTTP/1.1', lines);

  it.each<Request>([
    [
      'a form of another site',
      raw(post, [`Cookie: ${cookie}`, 'Sec-Fetch-Site: cross-site', 'Origin: http://evil.example', ...asForm]),
      [403],
    ],
    ['a form of a sibling domain', raw(post, [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-site', ...asForm]), [403]],
    ['a form of an old browser', raw(post, [`Cookie: ${cookie}`, 'Origin: http://evil.example', ...asForm]), [403]],
    ['a form of a sandboxed frame', raw(post, [`Cookie: ${cookie}`, 'Origin: null', ...asForm]), [403]],
    ['a form without an origin', raw(post, [`Cookie: ${cookie}`, ...asForm]), [403]],
    ['two origins', raw(post, [`Cookie: ${cookie}`, `Origin: http://${host}`, 'Origin: http://evil.example', ...asForm]), [403]],
    [
      'two sites',
      raw(post, [`Cookie: ${cookie}`, 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site', ...asForm]),
      [403],
    ],
    ['a form with method GET', raw('POST /logout HTTP/1.1', [`Cookie: ${cookie}`, 'Sec-Fetch-Site: cross-site']), [403]],
    ['ending the sessions', raw('DELETE /api/sessions HTTP/1.1', [`Cookie: ${cookie}`, 'Origin: http://evil.example']), [403]],
    [
      'a sign-in, so that the member writes as another',
      signIn(['Sec-Fetch-Site: cross-site', ...json({ email: 'sato@engawa.example' })]),
      [403],
    ],
    [
      'a sign-in as plain text',
      signIn(['Sec-Fetch-Site: same-origin', ...json({ email: 'sato@engawa.example' }, 'text/plain')]),
      [415],
    ],
    [
      'a sign-in as a form',
      signIn(['Sec-Fetch-Site: same-origin', ...json({ email: 'sato@engawa.example' }, 'application/x-www-form-urlencoded')]),
      [415],
    ],
    [
      'a sign-in of no type',
      signIn(['Sec-Fetch-Site: same-origin', ...sized(JSON.stringify({ email: 'sato@engawa.example' }))]),
      [415],
    ],
    ['JSON as plain text to the chat', raw(post, [...own, ...json(said, 'text/plain')]), [415]],
  ])('The server refuses a change from another site: %s', async (...request) => isRefused(request));

  it('The server grants no preflight request (CORS) of another site', async () => {
    const answer = await sendRaw(
      product.address,
      raw('OPTIONS /api/v1/messages HTTP/1.1', [
        'Origin: http://evil.example',
        'Access-Control-Request-Method: POST',
        'Access-Control-Request-Headers: authorization',
      ]),
    );
    expect(Object.keys(answer?.headers ?? {}).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

it('Two requests in one packet get two answers', async () => {
  const [first, second] = [
    `GET /api/session HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    `GET /api/session HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`,
  ];
  const answer = await sendRaw(product.address, first + second);
  expect([answer?.status, answer?.body]).toMatchObject([200, expect.stringContaining('HTTP/1.1 421')]);
});

it('Invalid bytes after a request do not change the answer to that request', async () => {
  const { id } = await product.call('tanaka', sendMessage, { ...said, type: 'stream' });
  expect(id).toBeGreaterThan(0);
  const answer = await sendRaw(product.address, `GET /api/session HTTP/1.1\r\nHost: ${host}\r\n\r\nRUBBISH\r\n\r\n`);
  expect(answer?.headers['content-type']).toContain('application/json');
});
