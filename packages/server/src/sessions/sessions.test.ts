import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deactivateUser, getEvents, getOwnUser, reactivateUser, registerQueue } from '@engawa/protocol';
import { memberHeader, paths, session as sessionAnswer } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { cookieFrom, emailOf, fromOwnPage, runProductForFile, signIn } from '../testing/product.ts';
import { waitingPoll } from '../testing/waitingPoll.ts';
import { seal, unseal, createToken } from './seal.ts';

const product = await runProductForFile({ MAX_FILE_SIZE: '1000' });
const host = 'localhost';

const who = async (cookie?: string) => {
  const headers = cookie === undefined ? { host } : { host, cookie };
  return sessionAnswer.parse((await product.app.inject({ url: '/api/session', headers })).json());
};
const logOut = (headers: Record<string, string>) =>
  product.app.inject({ method: 'POST', url: '/logout', headers: { host, ...headers } });
const register = async (cookie: string) => {
  const answer = await product.app.inject({
    method: 'POST',
    url: '/api/v1/register',
    headers: { host, cookie, ...fromOwnPage, 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'event_types=["message"]',
  });
  return registerQueue.answer.parse(answer.json());
};
const poll = (headers: Record<string, string>, queue: { queue_id: string; last_event_id: number }, more = '') =>
  product.app.inject({
    url: `/api/v1/events?queue_id=${queue.queue_id}&last_event_id=${queue.last_event_id}${more}`,
    headers: { host, ...headers },
  });

describe('session', () => {
  it('[R1.5] GET /api/session of a new browser returns no member, and names the default member', async () => {
    expect(await who()).toMatchObject({
      auth_mode: 'fake',
      member: null,
      signed_out: false,
      setup_needed: false,
      organisation: '株式会社 縁側',
      mail: false,
      calls: true,
      default_member: emailOf('tanaka'),
      fake_sign_in_exposed: false,
      max_file_size: 1000,
    });
    const { candidates } = await who();
    expect(candidates.find(({ email }) => email === emailOf('sato'))).toEqual({
      email: emailOf('sato'),
      full_name: '佐藤 美咲',
      reading: 'さとう みさき',
      title: 'プロダクト開発部長',
      department: 'プロダクト開発部',
      avatar_url: '/avatars/avatar-2.svg',
    });
  });

  it('[R3.5] POST /api/session sets a cookie that scripts cannot read, and returns no API key', async () => {
    const answer = await signIn(product, 'tanaka');
    expect(sessionAnswer.parse(answer.json()).member).toMatchObject({ email: emailOf('tanaka'), full_name: '田中 翔' });
    expect(answer.headers['set-cookie']).toContainEqual(
      expect.stringMatching(/^engawa_session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    );
    expect(answer.body).not.toMatch(/api_key|Basic/);
    expect((await who(cookieFrom(answer.headers['set-cookie']))).member?.email).toBe(emailOf('tanaka'));
  });

  it.each([
    ['somebody outside the organisation', { email: 'nobody@engawa.example' }, 401],
    ['an email in another form', { email: ['tanaka@engawa.example'] }, 401],
    ['nothing', {}, 401],
  ])('POST /api/session is refused for %s', async (_, payload, status) => {
    const answer = await product.app.inject({ method: 'POST', url: '/api/session', headers: { host }, payload });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ result: 'error', code: 'AUTHENTICATION_FAILED' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it('The fake sign-in accepts an email in any letter case', async () => {
    const payload = { email: 'Tanaka@Engawa.Example' };
    const answer = await product.app.inject({ method: 'POST', url: '/api/session', headers: { host }, payload });
    expect(sessionAnswer.parse(answer.json()).member?.email).toBe(emailOf('tanaka'));
  });

  it('A new session replaces the previous session of the same browser', async () => {
    const first = await product.cookieOf('tanaka');
    const second = cookieFrom((await signIn(product, 'sato', { cookie: first, ...fromOwnPage })).headers['set-cookie']);
    expect((await who(first)).member).toBeNull();
    expect((await who(second)).member?.email).toBe(emailOf('sato'));
  });

  it('A session expires after 90 days', async () => {
    const cookie = await product.cookieOf('tanaka');
    product.pass(89 * 24 * 3_600_000);
    expect((await who(cookie)).member).not.toBeNull();
    product.pass(2 * 24 * 3_600_000);
    expect((await who(cookie)).member).toBeNull();
  });

  it('A session cookie with an invented token is answered like a missing one', async () => {
    expect((await who(`engawa_session=${createToken()}`)).member).toBeNull();
    expect((await who('engawa_session=%00')).member).toBeNull();
  });

  it('A session of a deactivated member ends, and does not begin again when the member is reactivated', async () => {
    const cookie = await product.cookieOf('hara');
    const { user_id } = await product.call('hara', getOwnUser, {});
    await product.call('takahashi.koichi', deactivateUser, { user_id });
    expect((await who(cookie)).member).toBeNull();
    await product.call('takahashi.koichi', reactivateUser, { user_id });
    expect((await who(cookie)).member).toBeNull();
    const again = await product.cookieOf('hara');
    expect((await who(again)).member).toMatchObject({ email: emailOf('hara') });
    const listed = await product.app.inject({ url: paths.sessions, headers: { host, cookie: again } });
    expect(listed.json()).toMatchObject({ sessions: [{ current: true }] });
  });

  it('A session that is not used while its member is deactivated stays invalid after the reactivation', async () => {
    const cookie = await product.cookieOf('hara');
    const { user_id } = await product.call('hara', getOwnUser, {});
    await product.call('takahashi.koichi', deactivateUser, { user_id });
    await product.call('takahashi.koichi', reactivateUser, { user_id });
    expect((await who(cookie)).member).toBeNull();
    const call = await product.app.inject({ url: '/api/v1/users/me', headers: { host, cookie } });
    expect(call.statusCode).toBe(401);
  });

  it('GET /api/session from another site changes nothing, also for a session whose key is refused', async () => {
    const cookie = await product.cookieOf('hara');
    const { user_id } = await product.call('hara', getOwnUser, {});
    await product.call('takahashi.koichi', deactivateUser, { user_id });
    const rows = () => {
      const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'), { readOnly: true });
      const count = database.prepare('SELECT count(*) AS count FROM session WHERE user_id = ?').get(user_id)?.['count'];
      database.close();
      return count;
    };
    const before = rows();
    const answer = await product.app.inject({ url: paths.session, headers: { host, cookie, 'sec-fetch-site': 'cross-site' } });
    expect(sessionAnswer.parse(answer.json()).member).toBeNull();
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(rows()).toBe(before);
    await product.call('takahashi.koichi', reactivateUser, { user_id });
  });

  it("Signing in many times does not end a member's API keys or their other sessions", async () => {
    const elsewhere = await product.cookieOf('ito');
    expect(await product.call('ito', getOwnUser, {})).toMatchObject({ email: emailOf('ito') });
    for (let i = 0; i < 21; i++) await signIn(product, 'ito');
    expect(await product.call('ito', getOwnUser, {})).toMatchObject({ email: emailOf('ito') });
    expect((await who(elsewhere)).member).toMatchObject({ email: emailOf('ito') });
  });

  it('When a new session replaces one in the same browser, the waiting polls of the former are answered', async () => {
    const cookie = await product.cookieOf('tanaka');
    const queue = await register(cookie);
    const polled = await waitingPoll(() => poll({ cookie }, queue));
    await signIn(product, 'sato', { cookie, ...fromOwnPage });
    expect((await polled.answer).json()).toMatchObject({ result: 'success', events: [] });
  });

  it('The database files contain neither the token of a session nor an API key in clear text', async () => {
    const cookie = await product.cookieOf('tanaka');
    const files = ['engawa.db', 'engawa.db-wal'].map((name) => join(product.dataDirectory, name));
    const stored = files.map((file) => readFileSync(file, 'latin1')).join('');
    expect(stored).not.toContain(cookie.slice('engawa_session='.length));
    expect(stored).not.toContain('Basic ');
    expect(stored).not.toContain(Buffer.from('tanaka@engawa.example:').toString('base64').slice(0, 20));
  });

  it('An encrypted API key can be decrypted only with its token, and changed bytes are detected', () => {
    const token = createToken();
    const sealed = seal(token, 'a secret');
    expect(unseal(token, sealed)).toBe('a secret');
    expect(() => unseal(createToken(), sealed)).toThrow(/authenticate/);
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1);
    expect(() => unseal(token, changed)).toThrow(/authenticate/);
  });
});

describe('page that was opened for a member', () => {
  it.each([
    ['a call of the chat API', '/api/v1/users/me'],
    ['a call of the product', paths.departmentTree],
  ])('A call from a page that was opened for another member than the one now signed in is refused: %s', async (_, url) => {
    const call = (headers: Record<string, string>) => product.app.inject({ url, headers: { host, ...headers } });
    const cookie = await product.cookieOf('sato');
    const own = String((await who(cookie)).member?.user_id);
    expect((await call({ cookie, [memberHeader]: own })).statusCode).toBe(200);
    expect((await call({ cookie })).statusCode).toBe(200);
    for (const other of [`${own}0`, '', `${own}, ${own}`]) {
      const answer = await call({ cookie, [memberHeader]: other });
      expect([answer.statusCode, answer.json()]).toMatchObject([401, { result: 'error', code: 'UNAUTHORIZED' }]);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    }
  });

  it('A call with Basic authentication is accepted whatever member its page header names', async () => {
    const authorization = await product.basicOf('sato');
    const headers = { host, authorization, [memberHeader]: '0' };
    const answer = await product.app.inject({ url: '/api/v1/users/me', headers });
    expect(answer.json()).toMatchObject({ result: 'success', email: emailOf('sato') });
  });
});

describe('sign-out', () => {
  it('[R2.1] POST /logout ends the session on the server and leads to the sign-in', async () => {
    const cookie = await product.cookieOf('tanaka');
    const answer = await logOut({ cookie, ...fromOwnPage });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, '/']);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^engawa_session=; Max-Age=0;/),
      expect.stringMatching(/^engawa_signed_out=1; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await who(cookie)).member).toBeNull();
    expect((await who('engawa_signed_out=1')).signed_out).toBe(true);
  });

  it("[R2.1] Signing out ends the event queues of that session, answers its waiting polls and keeps the member's other queues", async () => {
    const authorization = await product.basicOf('tanaka');
    const { queue_id, last_event_id } = await product.call('tanaka', registerQueue, { event_types: ['message'] });
    const cookie = await product.cookieOf('tanaka');
    const [first, second] = [await register(cookie), await register(cookie)];
    const polled = await Promise.all(
      [first, { queue_id, last_event_id }].map((queue) => waitingPoll(() => poll({ cookie }, queue))),
    );
    await logOut({ cookie, ...fromOwnPage });
    for (const { answer } of polled) expect((await answer).json()).toMatchObject({ events: [] });
    for (const queue of [first, second]) {
      const after = await poll({ authorization }, queue, '&dont_block=true');
      expect(after.json()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    }
    const other = await product.call('tanaka', getEvents, { queue_id, last_event_id, dont_block: true });
    expect(other.events).toEqual([]);
  });

  it('[R2.1] Signing out succeeds when the browser has already ended its event queue', async () => {
    const cookie = await product.cookieOf('tanaka');
    const { queue_id } = await register(cookie);
    const url = `/api/v1/events?queue_id=${queue_id}`;
    const ended = await product.app.inject({ method: 'DELETE', url, headers: { host, cookie, ...fromOwnPage } });
    expect(ended.json()).toMatchObject({ result: 'success' });
    expect((await logOut({ cookie, ...fromOwnPage })).statusCode).toBe(303);
  });

  it('POST /logout succeeds without a session', async () => {
    expect((await logOut({})).statusCode).toBe(303);
  });

  it.each([
    ['a link in a message', { 'sec-fetch-site': 'same-origin', referer: `http://${host}/` }],
    ['a typed address', { 'sec-fetch-site': 'none' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { 'sec-fetch-site': 'same-site' }],
    ['another site in an older browser', { referer: 'https://evil.example/' }],
    ['a browser that says nothing', {}],
  ])('[R2.1] GET /logout from %s changes nothing and leads to the question whether to sign out', async (_, headers) => {
    const cookie = await product.cookieOf('tanaka');
    const { queue_id, last_event_id } = await register(cookie);
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await product.app.inject({ method, url: '/logout', headers: { host, cookie, ...headers } });
      expect([answer.statusCode, answer.headers.location]).toEqual([303, '/#/logout']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect((await who(cookie)).member).not.toBeNull();
    expect((await poll({ cookie }, { queue_id, last_event_id }, '&dont_block=true')).json()).toMatchObject({ result: 'success' });
  });

  it('[R2.1] POST /logout is refused from another site', async () => {
    const cookie = await product.cookieOf('tanaka');
    expect((await logOut({ cookie, 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await who(cookie)).member).not.toBeNull();
  });

  it('Signing in removes the cookie that an earlier sign-out set', async () => {
    const answer = await signIn(product, 'tanaka', { cookie: 'engawa_signed_out=1' });
    expect(answer.headers['set-cookie']).toContainEqual(expect.stringMatching(/^engawa_signed_out=; Max-Age=0;/));
    expect(answer.json()).toMatchObject({ signed_out: false });
  });
});
