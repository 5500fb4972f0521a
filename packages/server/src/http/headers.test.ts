import { describe, expect, it, onTestFinished } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { runProduct, runProductForFile } from '../testing/product.ts';
import { sendRaw } from '../testing/rawSocket.ts';

const product = await runProductForFile();
const authorization = await product.basicOf('tanaka');
const host = new URL(product.address).host;

const always = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
};
/** Chromium warns on every page if the policy names bluetooth, which it does not know there. */
const permissionsFor = (devices: string) => {
  const policy = `(?=.* camera=${devices},)(?=.* display-capture=${devices},)(?=.* microphone=${devices},)(?=.* geolocation=\\(\\),)`;
  return new RegExp(`^(?!.*bluetooth)${policy}`);
};

async function uploaded(): Promise<string> {
  const name = `${'abcdefghij'.repeat(2)}.gif`;
  const form = new FormData();
  form.append('file', new File(['GIF89a, and what comes behind'], '絵.gif'));
  form.append('dstFileName', name);
  await fetch(`${product.address}/api/api/upload/file`, { method: 'POST', headers: { authorization }, body: form });
  return `/api/storage/temp/${name}`;
}

async function pictured(): Promise<string> {
  const form = new FormData();
  const image = png(8, 8, () => [10, 120, 60]);
  form.append('image', new File([new Uint8Array(image)], 'me.png', { type: 'image/png' }));
  for (const [name, value] of Object.entries({ name: '田中 翔', email: 'tanaka@engawa.example', location: '本社' })) {
    form.append(name, value);
  }
  const answer = await fetch(`${product.address}/api/profile`, { method: 'POST', headers: { authorization }, body: form });
  const { avatar_url: url } = JSON.parse(await answer.text());
  return String(url);
}

const file = await uploaded();
const picture = await pictured();

async function sent(bytes: string) {
  const answer = await sendRaw(product.address, bytes);
  if (!answer) throw new Error('there was no answer');
  return answer;
}

async function asks(target: string, more: readonly string[] = [], method = 'GET') {
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...more];
  return sent(`${lines.join('\r\n')}\r\n\r\n`);
}

const signedIn = [`Authorization: ${authorization}`];
const etagOf = async (target: string, more: readonly string[]) => {
  const { etag } = (await asks(target, more)).headers;
  return `If-None-Match: ${etag}`;
};

describe('Every kind of answer has the strict headers and the policy of its kind', () => {
  const screen = /^(?=.*frame-ancestors 'none')default-src 'none'; .*script-src 'self'; .*require-trusted-types-for 'script'/;
  const call = /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/;
  const brought = /^sandbox; default-src 'none'$/;
  const page = /^(?=.*frame-ancestors 'none')default-src 'none'; .*style-src 'sha256-/;

  it.each<readonly [what: string, status: number, policy: RegExp, asked: () => ReturnType<typeof asks>]>([
    ['a screen', 200, screen, () => asks('/')],
    ['a script', 200, screen, () => asks('/assets/app-1a2b3c.js')],
    ['the service worker', 200, screen, () => asks('/serviceWorker.js')],
    ['the web app manifest', 200, screen, () => asks('/manifest.webmanifest')],
    ['a page before the service worker', 200, screen, () => asks('/', ['Service-Worker-Navigation-Preload: true'])],
    ['a cached page', 304, screen, async () => asks('/', [await etagOf('/', [])])],
    ['a range of a script', 206, screen, () => asks('/assets/app-1a2b3c.js', ['Range: bytes=0-3'])],
    ['a missing page', 404, page, () => asks('/nowhere')],
    ['an unknown method', 405, screen, () => asks('/', [], 'PROPFIND')],
    ['an address that leads elsewhere', 303, screen, () => asks('/logout')],
    ['sign-out', 303, screen, () => asks('/logout', [], 'POST')],
    ['an address that cannot be decoded', 400, screen, () => asks('/%zz')],
    ['an address with dot segments', 400, screen, () => asks('/assets/../../engawa.db')],
    ['another host', 421, screen, () => sent('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')],
    ['a malformed request', 400, screen, () => sent('NONSENSE\r\n\r\n')],
    ['headers that are too long', 431, screen, () => sent(`GET / HTTP/1.1\r\nHost: ${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)],
    ['an unknown expectation', 417, screen, () => asks('/', ['Expect: the-unexpected'])],
    ['an answer of the product', 200, call, () => asks('/api/session')],
    ['an unknown call', 404, call, () => asks('/api/nowhere')],
    ['a name that is too long', 404, call, () => asks(`/api/storage/temp/${'a'.repeat(400)}`)],
    ['a call without a session', 401, call, () => asks('/api/sessions')],
    ['a cross-site change', 403, call, () => asks('/api/session', ['Origin: http://evil.example'], 'POST')],
    [
      'a body of another type',
      415,
      call,
      () => asks('/api/session', ['Content-Type: text/plain', 'Content-Length: 2', '', '{}'], 'POST'),
    ],
    ['an answer of the chat server', 200, call, () => asks('/api/v1/server_settings')],
    ['a refusal of the chat server', 401, call, () => asks('/api/v1/users/me')],
    ['an unknown call of the chat API', 404, call, () => asks('/api/v1/nowhere')],
    ['OPTIONS of a call', 204, call, () => asks('/api/v1/messages', [], 'OPTIONS')],
    ['a file', 200, brought, () => asks(file, signedIn)],
    ['a cached file', 304, brought, async () => asks(file, [...signedIn, await etagOf(file, signedIn)])],
    ['a range of a file', 206, brought, () => asks(file, [...signedIn, 'Range: bytes=0-3'])],
    ['a range beyond the end', 416, brought, () => asks(file, [...signedIn, 'Range: bytes=999-'])],
    ['HEAD of a file', 200, brought, () => asks(file, signedIn, 'HEAD')],
    ['another member’s file', 404, call, () => asks(`/api/storage/temp/${'z'.repeat(20)}`, signedIn)],
    ['a picture', 200, brought, () => asks(picture, signedIn)],
    ['a cached picture', 304, call, async () => asks(picture, [...signedIn, await etagOf(picture, signedIn)])],
  ])(
    'An answer has the security headers and the content security policy of its kind: %s, status %d',
    async (_, status, policy, asked) => {
      const answer = await asked();
      expect(answer.status).toBe(status);
      expect(answer.headers).toMatchObject(always);
      expect(answer.headers['content-security-policy']).toMatch(policy);
      expect(answer.headers['content-security-policy']).not.toContain('unsafe');
      // Only screens use devices, in calls.
      const devices = policy === call || policy === brought ? '\\(\\)' : '\\(self\\)';
      expect(answer.headers['permissions-policy']).toMatch(permissionsFor(devices));
      for (const told of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin']) {
        expect(answer.headers).not.toHaveProperty(told);
      }
    },
  );
});

const connectionsOf = async (address: string, path: string) =>
  (await fetch(address + path)).headers.get('content-security-policy')?.match(/connect-src [^;]*/)?.[0];

it('[R2.10] A screen may connect to the product only, and with LiveKit to the one address of LIVEKIT_URL; an answer to nothing', async () => {
  const livekit = {
    LIVEKIT_URL: 'wss://livekit.example.com',
    LIVEKIT_KEY: 'APIengawa',
    LIVEKIT_SECRET: 'a-secret-of-thirty-two-characters',
  };
  const other = await runProduct(livekit);
  onTestFinished(() => other.close());
  expect(await connectionsOf(product.address, '/')).toBe("connect-src 'self'");
  expect(await connectionsOf(other.address, '/')).toBe("connect-src 'self' wss://livekit.example.com");
  expect(await connectionsOf(other.address, '/api/session')).toBeUndefined();
});

describe('caching of the web client', () => {
  it.each([
    ['the page', '/', 'text/html', 'no-cache'],
    ['the service worker', '/serviceWorker.js', 'application/javascript', 'no-cache'],
    ['the web app manifest', '/manifest.webmanifest', 'application/manifest+json', 'no-cache'],
    ['a part', '/assets/app-1a2b3c.js', 'application/javascript', 'public, max-age=31536000, immutable'],
    ['a built-in avatar', '/avatars/avatar-1.svg', 'image/svg+xml', 'public, max-age=86400'],
  ])(
    'The server sends %s with the right content type, and browsers revalidate it unless its name contains a hash',
    async (_, address, type, cached) => {
      const { headers } = await asks(address);
      expect(headers['content-type']?.split(';')[0]).toBe(type);
      expect(headers['cache-control']).toBe(cached);
      // The default scope of the service worker is enough.
      expect(headers).not.toHaveProperty('service-worker-allowed');
    },
  );
});
