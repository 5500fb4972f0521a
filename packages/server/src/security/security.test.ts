import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fromOwnPage, runProductForFile } from '../testing/product.ts';
import { isOwnHost } from './hosts.ts';

const product = await runProductForFile();
const cookie = await product.cookieOf('tanaka');

const localOnly = { host: '127.0.0.1', allowedHosts: ['chat.example.com'] };
const everywhere = { host: '0.0.0.0', allowedHosts: [] };

describe('host', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    'localhost:8080',
    'LOCALHOST',
    '[::1]:8080',
    'chat.example.com',
    'Chat.Example.com:443',
  ])('[R1.6] A server for this machine only accepts a request with the Host header %s', (host) =>
    expect(isOwnHost(host, localOnly)).toBe(true),
  );

  it.each([
    undefined,
    '',
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '192.168.1.10',
    '[fe80::1]',
    'chat.example.com.evil.example',
    'user@localhost',
    'localhost:',
    'localhost:8080:1',
    'localhost/',
    '::1',
    '[::1',
    '[1.2.3.4]',
  ])('[R1.6] A server for this machine only refuses a request with the Host header %s', (host) =>
    expect(isOwnHost(host, localOnly)).toBe(false),
  );

  it.each([
    ['192.168.1.10:8080', true],
    ['[fe80::1]', true],
    ['evil.example', false],
  ])('[R1.6] A server that other machines can reach accepts a request with the Host header %s: %s', (host, answered) =>
    expect(isOwnHost(host, everywhere)).toBe(answered),
  );

  it.each(['/', '/api/session', '/api/v1/server_settings', '/nowhere'])(
    '[R1.6] A request for %s with a foreign Host header is refused',
    async (url) => {
      const answer = await product.app.inject({ url, headers: { host: 'evil.example' } });
      expect([answer.statusCode, answer.json()]).toMatchObject([421, { result: 'error', code: 'BAD_REQUEST' }]);
      expect(answer.json().msg).toContain('evil.example');
    },
  );
});

const change = (headers: Record<string, string>) =>
  product.app.inject({
    method: 'POST',
    url: '/api/v1/messages/flags',
    headers: { host: 'localhost:8080', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: 'messages=[]&op=add&flag=read',
  });

describe('change', () => {
  it.each([
    ['Sec-Fetch-Site says so', { 'sec-fetch-site': 'same-origin' }],
    ['the Origin is this host', { origin: 'http://localhost:8080' }],
  ])('A change with the session cookie is accepted when %s', async (_, headers) => {
    expect((await change({ cookie, ...headers })).statusCode).toBe(200);
  });

  it.each([
    ['its origin is unknown', {}],
    ['it comes from another site', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:8080' }],
    ['it comes from another port', { 'sec-fetch-site': 'same-site' }],
    ['the Origin is another host', { origin: 'http://evil.example' }],
    ['the Origin is another port', { origin: 'http://localhost:9000' }],
    ['the Origin is opaque', { origin: 'null' }],
  ])('A change with the session cookie is refused when %s', async (_, headers) => {
    const answer = await change({ cookie, ...headers });
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { result: 'error', code: 'BAD_REQUEST' }]);
  });

  it.each([
    ['comes from another site', { 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' }],
    ['has an unknown origin', {}],
  ])('A change with the session cookie that %s is refused even with an Authorization header', async (_, headers) => {
    for (const authorization of ['Bearer x', await product.basicOf('tanaka')]) {
      const answer = await change({ cookie, authorization, ...headers });
      expect([answer.statusCode, answer.json()]).toMatchObject([403, { result: 'error', code: 'BAD_REQUEST' }]);
      const out = await product.app.inject({
        method: 'POST',
        url: '/logout',
        headers: { host: 'localhost:8080', cookie, authorization, ...headers },
      });
      expect(out.statusCode).toBe(403);
    }
    expect((await change({ cookie, 'sec-fetch-site': 'same-origin' })).statusCode).toBe(200);
  });

  it('A change with Basic authentication and without a cookie is accepted from every origin', async () => {
    const authorization = await product.basicOf('tanaka');
    expect((await change({ authorization, origin: 'http://evil.example' })).statusCode).toBe(200);
  });

  it('A change from a foreign origin is refused even without a session cookie', async () => {
    expect((await change({ origin: 'http://evil.example' })).statusCode).toBe(403);
  });

  it('A GET request with the session cookie is accepted from another site', async () => {
    const headers = { host: 'localhost', cookie, 'sec-fetch-site': 'cross-site' };
    expect((await product.app.inject({ url: '/api/v1/users/me', headers })).statusCode).toBe(200);
  });
});

const script = (encoding: string) =>
  product.app.inject({ url: '/assets/app-1a2b3c.js', headers: { host: 'localhost', 'accept-encoding': encoding } });

describe('answer', () => {
  it('An unknown address below /api/ is answered with NOT_FOUND as JSON, and any other one with a page in Japanese', async () => {
    const call = await product.app.inject({ url: '/api/nowhere', headers: { host: 'localhost' } });
    expect(call.json()).toEqual({ result: 'error', msg: 'There is no such call in this API.', code: 'NOT_FOUND' });
    const page = await product.app.inject({ url: '/nowhere', headers: { host: 'localhost' } });
    expect(page.body).toContain('ページが見つかりません');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('The page for an unknown address has the logo, and only colours of the product', async () => {
    const { body } = await product.app.inject({ url: '/nowhere', headers: { host: 'localhost' } });
    const tokens = readFileSync(join(import.meta.dirname, '../../../web/src/app/tokens.css'), 'utf8');
    const pairs = body.match(/light-dark\([^)]*\)/g) ?? [];
    expect(pairs.length).toBeGreaterThan(5);
    expect(pairs.filter((pair) => !tokens.includes(pair))).toEqual([]);
    expect(body.replaceAll(/light-dark\([^)]*\)/g, '').match(/#[\da-f]{3,6}\b/gi)).toBeNull();
    expect(body).toContain('<svg');
  });

  it('The server sends the compressed file of the build to a client that accepts it, and otherwise the plain file', async () => {
    const [small, plain] = [await script('gzip, br'), await script('identity')];
    expect(small.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': plain.headers['content-type'],
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    });
    expect(gunzipSync(small.rawPayload)).toEqual(plain.rawPayload);
    expect(plain.headers).not.toHaveProperty('content-encoding');
  });

  it('A call with a malformed or too large body is refused as JSON with result and code', async () => {
    const headers = { host: 'localhost', 'content-type': 'application/json', ...fromOwnPage };
    const broken = await product.app.inject({ method: 'POST', url: '/api/session', headers, payload: '{' });
    expect([broken.statusCode, broken.json()]).toMatchObject([400, { result: 'error', code: 'BAD_REQUEST' }]);
    const payload = `"${'x'.repeat(100_000)}"`;
    const large = await product.app.inject({ method: 'POST', url: '/api/session', headers, payload });
    expect([large.statusCode, large.json()]).toMatchObject([413, { result: 'error', code: 'PAYLOAD_TOO_LARGE' }]);
  });
});
