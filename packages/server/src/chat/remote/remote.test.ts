import { signInLimits } from '@engawa/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cookieFrom, fromOwnPage, type RunningProduct, runProduct } from '../../testing/product.ts';
import { apiKey, failure, json, page, runUpstream, success, type Upstream } from '../../testing/upstream.ts';

const host = 'localhost';
const credentials = { email: 'hanako@niwa.example', password: 'つくばい苔庭42' };

async function eg(): Promise<{ readonly product: RunningProduct; readonly zulip: Upstream }> {
  const zulip = await runUpstream();
  const product = await runProduct({ ZULIP_SITE: zulip.site });
  onTestFinished(() => product.close());
  return { product, zulip };
}

async function signedIn() {
  const { product, zulip } = await eg();
  const answer = await signIn(product);
  const cookie = cookieFrom(answer.headers['set-cookie']);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: string) =>
    product.app.inject({
      method,
      url,
      headers: {
        host,
        cookie,
        ...fromOwnPage,
        ...(payload !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(payload !== undefined && { payload }),
    });
  zulip.received.length = 0;
  return { product, zulip, cookie, call };
}

const signIn = ({ app }: RunningProduct) =>
  app.inject({ method: 'POST', url: '/api/session', headers: { host }, payload: credentials });

describe('sign-in at a Zulip server', () => {
  it('[R7.8] A member signs in with the name and password of Zulip, and the session calls Zulip with the key', async () => {
    const { product, zulip } = await eg();
    const answer = await signIn(product);
    expect(answer.json()).toMatchObject({
      auth_mode: 'password',
      organisation: '株式会社 庭',
      setup_needed: false,
      member: { user_id: 10, email: 'hanako@niwa.example', full_name: '庭野 花子' },
    });
    const asked = zulip.received.find(({ url }) => url === '/api/v1/fetch_api_key');
    expect(new URLSearchParams(asked?.body).get('password')).toBe(credentials.password);
    // With the delivery email, because Zulip refuses the shown one.
    const basic = Buffer.from(`hanako@niwa.example:${apiKey}`).toString('base64');
    expect(zulip.received.find(({ url }) => url.startsWith('/api/v1/users/me'))?.headers.authorization).toBe(`Basic ${basic}`);
  });

  it.each([
    ['AUTHENTICATION_FAILED', 401],
    ['USER_DEACTIVATED', 401],
    ['PASSWORD_AUTH_DISABLED', 401],
  ])('[R7.8] If Zulip refuses a sign-in with %s, the product answers the same code', async (code, status) => {
    const { product, zulip } = await eg();
    zulip.on('POST /api/v1/fetch_api_key', failure(status, code, 'refused'));
    const answer = await signIn(product);
    expect([answer.statusCode, answer.json()]).toEqual([status, { result: 'error', msg: 'refused', code }]);
  });

  it('[R7.8] A session whose key Zulip no longer accepts is signed out', async () => {
    const { zulip, call } = await signedIn();
    zulip.on('GET /api/v1/users/me', failure(401, 'UNAUTHORIZED', 'Invalid API key'));
    expect((await call('GET', '/api/session')).json()).toMatchObject({ member: null });
    expect((await call('GET', '/api/v1/users/me')).statusCode).toBe(401);
  });

  it('[R7.8] The product starts while Zulip cannot be reached, says so, and works when Zulip does', async () => {
    const { product, zulip } = await eg();
    zulip.on('GET /api/v1/server_settings', page(502));
    const view = () => product.app.inject({ url: '/api/session', headers: { host } });
    const answer = await view();
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'CHAT_SERVER_UNAVAILABLE']);
    zulip.on('GET /api/v1/server_settings', success({ ...settings, realm_name: '庭' }));
    expect((await view()).json()).toMatchObject({ organisation: '庭', auth_mode: 'password' });
  });
});

const settings = {
  authentication_methods: {},
  external_authentication_methods: [],
  zulip_version: '8.0',
  zulip_feature_level: 237,
  push_notifications_enabled: false,
  is_incompatible: false,
};

describe('a call in front of a Zulip', () => {
  const me = 'GET /api/v1/users/me';

  it('[R7.8] Zulip gets the key of the session and no header about the browser, and the browser gets no cookie of Zulip', async () => {
    const { product, zulip, cookie } = await signedIn();
    zulip.on(me, json({ result: 'success', msg: '', user_id: 10 }, 200, { 'Set-Cookie': 'zulip=1', Server: 'nginx' }));
    const answer = await product.app.inject({
      url: '/api/v1/users/me?client_gravatar=false',
      headers: {
        host,
        cookie,
        referer: 'http://localhost/#/10',
        'user-agent': 'Mozilla/5.0',
        'x-custom': '1',
        'accept-language': 'ja',
      },
    });
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['server']).toBeUndefined();
    const [received] = zulip.received;
    expect(received?.url).toBe('/api/v1/users/me?client_gravatar=false');
    expect(Object.keys(received?.headers ?? {}).toSorted()).toEqual([
      'accept',
      'accept-language',
      'authorization',
      'connection',
      'host',
      'user-agent',
      'x-forwarded-for',
      'x-forwarded-proto',
    ]);
    expect(received?.headers['user-agent']).toBe('Engawa desktop app/1');
  });

  it('[R7.8] A program keeps its own name at Zulip', async () => {
    const { product, zulip } = await eg();
    const authorization = `Basic ${Buffer.from(`hanako@niwa.example:${apiKey}`).toString('base64')}`;
    await product.app.inject({ url: '/api/v1/users/me', headers: { host, authorization, 'user-agent': 'ZulipPython/0.9.1' } });
    expect(zulip.received.at(-1)?.headers).toMatchObject({ authorization, 'user-agent': 'ZulipPython/0.9.1' });
  });

  it.each([
    ['a page that does not exist', page(404), 404, 'NOT_FOUND'],
    ['a page for a wrong method', page(405), 405, 'BAD_REQUEST'],
    ['a page for a large body', page(413), 413, 'PAYLOAD_TOO_LARGE'],
    ['a page with status 200', page(200), 502, 'CHAT_SERVER_UNAVAILABLE'],
    ['a redirect', page(302, { Location: 'https://elsewhere.example/' }), 502, 'CHAT_SERVER_UNAVAILABLE'],
    ['the page of a proxy', page(502), 502, 'CHAT_SERVER_UNAVAILABLE'],
    ['the page of an upgrade', page(503), 503, 'CHAT_SERVER_UNAVAILABLE'],
    ['an internal error', failure(500, 'INTERNAL', 'Internal server error'), 502, 'CHAT_SERVER_UNAVAILABLE'],
    ['an error of its API', failure(400, 'BAD_NARROW', 'Invalid narrow operator'), 400, 'BAD_NARROW'],
  ])('[R7.8] If Zulip answers %s, the client gets an error in JSON', async (_, given, status, code) => {
    const { zulip, call } = await signedIn();
    zulip.on(me, given);
    const answer = await call('GET', '/api/v1/users/me');
    expect([answer.statusCode, answer.json()]).toMatchObject([status, { result: 'error', code, msg: expect.any(String) }]);
  });

  it('[R7.8] The wait of a rate limit is rounded up in the header, and the body is unchanged', async () => {
    const { zulip, call } = await signedIn();
    const limited = { result: 'error', msg: 'API usage exceeded rate limit', code: 'RATE_LIMIT_HIT', 'retry-after': 59.97 };
    zulip.on(me, json(limited, 429, { 'Retry-After': '59.967860937118530' }));
    const answer = await call('GET', '/api/v1/users/me');
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([429, '60', limited]);
  });

  it('[R7.8] A browser that hangs up ends its poll at Zulip, and the end of a session answers its poll', async () => {
    const { product, zulip, cookie, call } = await signedIn();
    let closed = 0;
    zulip.on('GET /api/v1/events', (response) => void response.once('close', () => (closed += 1)));
    const polls = () => zulip.received.filter(({ url }) => url.startsWith('/api/v1/events')).length;
    const left = new AbortController();
    const url = `${product.address}/api/v1/events?queue_id=1&last_event_id=0`;
    const abandoned = fetch(url, { headers: { cookie }, signal: left.signal });
    await expect.poll(polls).toBe(1);
    left.abort();
    await expect(abandoned).rejects.toThrow();
    await expect.poll(() => closed).toBe(1);
    const waiting = call('GET', '/api/v1/events?queue_id=1&last_event_id=0');
    await expect.poll(polls).toBe(2);
    await call('POST', '/logout');
    expect((await waiting).statusCode).toBe(401);
    await expect.poll(() => closed).toBe(2);
  });

  it('[R7.8] Too many wrong passwords from one network are refused without asking Zulip', async () => {
    const { product, zulip } = await eg();
    zulip.on('POST /api/v1/fetch_api_key', failure(401, 'AUTHENTICATION_FAILED', 'Your username or password is incorrect'));
    for (let attempt = 0; attempt < signInLimits.network.calls; attempt += 1) await signIn(product);
    zulip.received.length = 0;
    const answer = await signIn(product);
    expect([answer.statusCode, answer.json().code, zulip.received]).toEqual([429, 'RATE_LIMIT_HIT', []]);
  });

  it('[R7.8] A change of the key by a browser is refused, because its session has the key', async () => {
    const { zulip, call } = await signedIn();
    expect((await call('POST', '/api/v1/users/me/api_key/regenerate')).statusCode).toBe(404);
    expect(zulip.received).toEqual([]);
  });

  it('In front of Zulip an address of a hook says where hooks are, without asking Zulip, and the calls of hooks do not exist', async () => {
    const { product, zulip, call } = await signedIn();
    const post = { method: 'POST', url: '/hooks/abc', headers: { host }, payload: { text: 'x' } } as const;
    const answer = await product.app.inject(post);
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('no_service: the chat server')]);
    expect((await call('GET', '/api/hooks')).statusCode).toBe(404);
    expect(zulip.received).toEqual([]);
  });

  it('[R7.8] A message of more than the allowed size is refused without asking Zulip', async () => {
    const { zulip, call } = await signedIn();
    const answer = await call('POST', '/api/v1/messages', `content=${'x'.repeat(1024 * 1024)}`);
    expect([answer.statusCode, answer.json().code, zulip.received]).toEqual([413, 'PAYLOAD_TOO_LARGE', []]);
  });
});

const botOwnedBy = (bot_owner_id: number) => ({
  user_id: 12,
  email: 'keihou-bot@niwa.example',
  full_name: '警報',
  date_joined: '2026-01-01T00:00:00+00:00',
  role: 400,
  is_owner: false,
  is_admin: false,
  is_guest: false,
  is_bot: true,
  bot_type: 1,
  bot_owner_id,
  timezone: '',
  avatar_url: null,
  avatar_version: 1,
});

describe('keys of bots in front of a Zulip', () => {
  const key = '6hc6MC9mpNFvoo0gSOWnZEq4aJEn8UNK';

  it.each([
    ['GET', '/api/v1/bots/12/api_key'],
    ['POST', '/api/v1/bots/12/api_key/regenerate'],
  ] as const)(
    '[R7.8] %s %s answers the key to the owner only, although Zulip answers it to administrators',
    async (method, path) => {
      const { zulip, call } = await signedIn();
      zulip.on(`${method} ${path}`, success({ api_key: key }));
      zulip.on('GET /api/v1/users/12', success({ user: botOwnedBy(9) }));
      const refused = await call(method, path);
      expect([refused.statusCode, refused.json()]).toEqual([400, { result: 'error', msg: 'No such bot', code: 'BAD_REQUEST' }]);
      expect(zulip.received.map(({ url }) => url)).toEqual(['/api/v1/users/12']);
      zulip.on('GET /api/v1/users/12', success({ user: botOwnedBy(10) }));
      expect((await call(method, path)).json()).toMatchObject({ api_key: key });
    },
  );

  it.each([
    ['POST', '/api/v1/register', { realm_bots: [{ user_id: 12, owner_id: 9, api_key: key }] }],
    ['GET', '/api/v1/events', { events: [{ id: 1, type: 'realm_bot', op: 'add', bot: { user_id: 12, api_key: key } }] }],
    ['GET', '/api/v1/users/12', { user: { ...botOwnedBy(9), api_key: key } }],
  ] as const)('[R7.8] The answer of %s %s reaches a session without the keys of bots', async (method, path, fields) => {
    const { zulip, call } = await signedIn();
    zulip.on(`${method} ${path}`, success(fields));
    const answer = await call(method, path);
    expect([answer.statusCode, answer.body.includes(key), answer.body.includes('"user_id":12')]).toEqual([200, false, true]);
  });
});

describe('calls that a product does not offer in front of a Zulip', () => {
  it.each([
    ['GET', '/api/administration/members'],
    ['POST', '/api/setup'],
    ['POST', '/api/password/forgotten'],
    ['GET', '/api/keys'],
    ['GET', '/api/avatars/10/1'],
  ] as const)('[R7.8] %s %s is not found', async (method, url) => {
    const { call } = await signedIn();
    expect((await call(method, url)).json()).toMatchObject({ code: 'NOT_FOUND' });
  });
});
