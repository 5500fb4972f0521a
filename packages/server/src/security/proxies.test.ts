import { describe, expect, it } from 'vitest';
import { runProduct } from '../testing/product.ts';
import { sendRaw } from '../testing/rawSocket.ts';
import { addressOfClient, trustIn } from './proxies.ts';

describe('named proxy', () => {
  const trusts = trustIn(['10.0.0.0/8', '192.168.1.5', '2001:db8::/32', '::1']);

  it.each([
    ['10.200.3.4', true],
    ['::ffff:10.1.2.3', true],
    ['192.168.1.5', true],
    ['2001:db8:1::9', true],
    ['::1', true],
    ['11.0.0.1', false],
    ['192.168.1.6', false],
    ['2001:db9::1', false],
    ['::ffff:11.0.0.1', false],
    ['127.0.0.1', false],
    ['unknown', false],
    ['', false],
    [undefined, false],
  ])('With the tested TRUSTED_PROXY, a sender at %s counts as a trusted proxy: %s', (address, trusted) =>
    expect(trusts?.(address)).toBe(trusted),
  );

  it.each(['', '10.0.0.0/33', '::/129', '10.0.0', 'proxy.example.com', '10.0.0.0/', '10.0.0.0/8/8', '*'])(
    'TRUSTED_PROXY does not accept %j as a proxy',
    (name) => expect(trustIn([name])).toBeUndefined(),
  );
});

describe('address of a client', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
    // Anything but an address is ignored, and the proxy is counted.
    ['whatever I please', '198.51.100.7'],
  ])("When the proxy forwards “%s” as the client's address, the server uses the address %s", (ip, address) => {
    const socket = Object.assign(Object.create(null), { remoteAddress: '198.51.100.7' });
    expect(addressOfClient({ ip, socket })).toBe(address);
  });
});

/** The remaining calls of an address, from the rate limit header. */
async function leftOf(address: string, forwarded: readonly string[]): Promise<number> {
  const lines = ['GET /api/v1/server_settings HTTP/1.1', 'Host: localhost', 'Connection: close', ...forwarded];
  const answer = await sendRaw(address, `${lines.join('\r\n')}\r\n\r\n`);
  return Number(answer?.headers['x-ratelimit-remaining']);
}

describe('address for rate limits', () => {
  it('Rate limits use the address of the connection and ignore X-Forwarded-For of a sender that is no trusted proxy', async () => {
    const product = await runProduct();
    const first = await leftOf(product.address, ['X-Forwarded-For: 203.0.113.1']);
    expect(await leftOf(product.address, ['X-Forwarded-For: 203.0.113.2', 'Forwarded: for=203.0.113.3'])).toBe(first - 1);
    expect(await leftOf(product.address, ['X-Real-IP: 203.0.113.4'])).toBe(first - 2);
    await product.close();
  });

  it('Rate limits use the client address that the trusted proxy saw, not one that the client wrote into the header', async () => {
    const product = await runProduct({ TRUSTED_PROXY: '127.0.0.1' });
    const first = await leftOf(product.address, ['X-Forwarded-For: 203.0.113.1']);
    expect(await leftOf(product.address, ['X-Forwarded-For: 203.0.113.2'])).toBe(first);
    expect(await leftOf(product.address, ['X-Forwarded-For: 9.9.9.9, 203.0.113.2'])).toBe(first - 1);
    expect(await leftOf(product.address, ['X-Forwarded-For: 8.8.8.8', 'X-Forwarded-For: 203.0.113.2'])).toBe(first - 2);
    // A chain of named proxies is resolved.
    expect(await leftOf(product.address, ['X-Forwarded-For: 203.0.113.2, 127.0.0.1'])).toBe(first - 3);
    await product.close();
  });
});

const proxied = { TRUSTED_PROXY: '127.0.0.1', PUBLIC_URL: 'https://chat.example.com' };
const byHttps = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'chat.example.com' };

async function signInBy(address: string, headers: Record<string, string>): Promise<Response> {
  return fetch(`${address}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email: 'tanaka@engawa.example' }),
  });
}

describe('behind a named proxy with https', () => {
  it('Behind a trusted proxy with https, the session cookie is for https and this host only, and answers have HSTS', async () => {
    const product = await runProduct(proxied);
    const answer = await signInBy(product.address, { ...byHttps, origin: 'https://chat.example.com' });
    expect(answer.status).toBe(200);
    const [cookie = ''] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-engawa_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');

    const asks = (sent: string) => fetch(`${product.address}/api/sessions`, { headers: { ...byHttps, cookie: sent } });
    const [pair = ''] = cookie.split(';');
    expect((await asks(pair)).status).toBe(200);
    // Another host of the domain or the network may set a cookie with the plain name.
    expect((await asks(pair.replace('__Host-', ''))).status).toBe(401);
    await product.close();
  });

  it('Behind a trusted proxy with https, a change is accepted only from pages of PUBLIC_URL', async () => {
    const product = await runProduct(proxied);
    for (const [origin, status] of [
      ['https://chat.example.com', 200],
      ['http://chat.example.com', 403],
      ['https://evil.example', 403],
      ['null', 403],
    ] as const) {
      expect([origin, (await signInBy(product.address, { ...byHttps, origin })).status]).toEqual([origin, status]);
    }
    await product.close();
  });

  it("Behind a trusted proxy with https, GET /server_settings returns PUBLIC_URL as the server's address", async () => {
    const product = await runProduct(proxied);
    const answer = await fetch(`${product.address}/api/v1/server_settings`, { headers: byHttps });
    expect(JSON.parse(await answer.text())).toMatchObject({ realm_url: 'https://chat.example.com' });
    await product.close();
  });

  it('Behind a trusted proxy, a request with a foreign host in X-Forwarded-Host is refused', async () => {
    const product = await runProduct(proxied);
    const asks = (headers: Record<string, string>) => fetch(`${product.address}/api/session`, { headers });
    expect((await asks({ 'x-forwarded-host': 'evil.example' })).status).toBe(421);
    expect((await asks({ 'x-forwarded-host': 'chat.example.com, evil.example' })).status).toBe(421);
    await product.close();
  });
});

describe('without a named proxy', () => {
  it('Without a trusted proxy, the server ignores forwarded headers that claim https or another host', async () => {
    const product = await runProduct();
    const answer = await signInBy(product.address, { ...byHttps, 'x-forwarded-host': 'evil.example' });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toMatch(/^engawa_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.headers.get('strict-transport-security')).toBeNull();
    await product.close();
  });
});

const fromAfar = { 'x-forwarded-for': '203.0.113.1' };

async function statusOf(address: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(`${address}/api/session`, { headers })).status;
}

describe('transport with passwords', () => {
  it('A server with passwords refuses requests over http unless they come from the same machine', async () => {
    const product = await runProduct({ ...proxied, AUTH_MODE: 'password' });
    expect(await statusOf(product.address, { ...fromAfar, ...byHttps })).toBe(200);
    expect(await statusOf(product.address, { ...fromAfar, 'x-forwarded-proto': 'http' })).toBe(403);
    expect(await statusOf(product.address, fromAfar)).toBe(403);
    expect(await statusOf(product.address, {})).toBe(200);
    await product.close();
  });

  it('When a request from an unknown proxy is refused for http, the answer names the setting TRUSTED_PROXY', async () => {
    const product = await runProduct({ AUTH_MODE: 'password' });
    const answer = await fetch(`${product.address}/api/session`, {
      headers: { ...fromAfar, ...byHttps, 'x-forwarded-host': 'localhost' },
    });
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('TRUSTED_PROXY')]);
    await product.close();
  });

  it('A server with passwords accepts http from other machines with INSECURE_HTTP=yes', async () => {
    const product = await runProduct({ AUTH_MODE: 'password', TRUSTED_PROXY: '127.0.0.1', INSECURE_HTTP: 'yes' });
    expect(await statusOf(product.address, fromAfar)).toBe(200);
    await product.close();
  });
});

describe('session cookie that is sent twice', () => {
  it('A request with two session cookies is treated as one without a session, because one of them may be forged', async () => {
    const product = await runProduct();
    const [own, other] = [await product.cookieOf('tanaka'), await product.cookieOf('sato')];
    const asks = (cookie: string) => fetch(`${product.address}/api/sessions`, { headers: { cookie } });
    expect((await asks(own)).status).toBe(200);
    expect((await asks(`${other}; ${own}`)).status).toBe(401);
    expect((await asks(`theme=dark; ${own}; engawa_session_x=1`)).status).toBe(200);
    await product.close();
  });
});
