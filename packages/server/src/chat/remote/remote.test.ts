import { describe, expect, it, onTestFinished } from 'vitest';
import { cookieFrom, fromOwnPage, type RunningProduct, runProduct } from '../../testing/product.ts';
import { apiKey, failure, page, runUpstream, success, type Upstream } from '../../testing/upstream.ts';

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
