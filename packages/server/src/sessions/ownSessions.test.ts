import { join } from 'node:path';
import { Database } from '@engawa/chat-server/database';
import { getEvents, registerQueue } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { ownSessions } from '@engawa/protocol/sessions';
import { describe, expect, it } from 'vitest';
import { migrations } from '../database/migrations.ts';
import { cookieFrom, fromOwnPage, runProductForFile, signIn } from '../testing/product.ts';
import { createSessions, maxSessions } from './sessions.ts';

const product = await runProductForFile();
const host = 'localhost';
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const browserOf = async (name: string, userAgent = chrome) =>
  cookieFrom((await signIn(product, name, { 'user-agent': userAgent })).headers['set-cookie']);
const ask = (cookie: string | undefined, url: string = paths.sessions, method: 'GET' | 'DELETE' = 'GET') =>
  product.app.inject({ method, url, headers: { host, ...fromOwnPage, ...(cookie === undefined ? {} : { cookie }) } });
const listOf = async (cookie: string) => ownSessions.parse((await ask(cookie)).json()).sessions;
const end = (cookie: string, id = '') => ask(cookie, id === '' ? paths.sessions : `${paths.sessions}/${id}`, 'DELETE');
const currentOf = async (cookie: string) => (await listOf(cookie)).find(({ current }) => current)?.id ?? '';
const whoIs = async (cookie: string) =>
  (await product.app.inject({ url: '/api/v1/users/me', headers: { host, cookie } })).statusCode;

describe('list of own sessions', () => {
  it('[R2.25.1] GET /api/sessions names the browser of each session, marks the current session and contains no secret', async () => {
    const cookie = await browserOf('kato');
    await browserOf(
      'kato',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    );
    await browserOf('sato');
    const answer = await ask(cookie);
    expect((await listOf(cookie)).map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    expect(answer.body).not.toContain(cookie.slice('engawa_session='.length));
    expect(
      ownSessions
        .parse(answer.json())
        .sessions.map(({ browser, system, current }) => [browser, system, current])
        .toSorted(),
    ).toEqual([
      ['Chrome', 'Windows', true],
      ['Safari', 'iPhone', false],
    ]);
  });

  it('GET /api/sessions is refused to callers who are not signed in', async () => {
    for (const method of ['GET', 'DELETE'] as const) expect((await ask(undefined, paths.sessions, method)).statusCode).toBe(401);
    expect((await ask(undefined, `${paths.sessions}/1`, 'DELETE')).statusCode).toBe(401);
  });

  it('GET /api/sessions returns the last use of each session, accurate to five minutes', async () => {
    const cookie = await browserOf('hara');
    const other = await browserOf('hara');
    const usedBy = async () => (await listOf(cookie)).find(({ current }) => !current)?.last_used ?? 0;
    const atFirst = await usedBy();
    product.pass(4 * 60_000);
    await whoIs(other);
    expect(await usedBy()).toBe(atFirst);
    product.pass(61_000);
    await whoIs(other);
    await expect.poll(usedBy).toBeGreaterThanOrEqual(atFirst + 300);
    expect((await listOf(cookie)).map(({ id }) => id)).toHaveLength(2);
  });
});

describe('session that its member ends from another browser', () => {
  it('[R2.25.1] When a member ends a session from another browser, its poll is answered and its next call is refused', async () => {
    const [here, there] = [await browserOf('ito'), await browserOf('ito')];
    const registered = await product.app.inject({
      method: 'POST',
      url: '/api/v1/register',
      headers: { host, cookie: there, ...fromOwnPage, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'event_types=["message"]',
    });
    const { queue_id, last_event_id } = registerQueue.answer.parse(registered.json());
    const url = `/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`;
    const polled = product.app.inject({ url, headers: { host, cookie: there } });
    const answer = await end(here, await currentOf(there));
    expect([answer.statusCode, answer.json()]).toEqual([200, {}]);
    expect((await polled).statusCode).toBeLessThan(500);
    expect(await whoIs(there)).toBe(401);
    expect(await whoIs(here)).toBe(200);
    await expect(product.call('ito', getEvents, { queue_id, last_event_id, dont_block: true })).rejects.toMatchObject({
      code: 'BAD_EVENT_QUEUE_ID',
    });
    expect(await listOf(here)).toHaveLength(1);
  });

  it('[R2.25.1] A member can end all their sessions except the one that makes the call', async () => {
    const [here, second, third] = [await browserOf('suzuki'), await browserOf('suzuki'), await browserOf('suzuki')];
    const elsewhere = await browserOf('sato');
    expect((await end(here)).statusCode).toBe(200);
    expect(await Promise.all([here, second, third, elsewhere].map(whoIs))).toEqual([200, 401, 401, 200]);
  });

  it("Ending another member's session is refused with the same answer as ending a missing one", async () => {
    const [mine, another] = [await browserOf('sato'), await browserOf('kato')];
    const refusals = await Promise.all([end(mine, await currentOf(another)), end(mine, 'nowhere')]);
    expect(refusals.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [404, refusals[0].body],
      [404, refusals[0].body],
    ]);
    expect(await whoIs(another)).toBe(200);
  });

  it("A request from another site cannot end a member's sessions", async () => {
    const cookie = await browserOf('sato');
    const headers = { host, cookie, 'sec-fetch-site': 'cross-site' };
    expect((await product.app.inject({ method: 'DELETE', url: paths.sessions, headers })).statusCode).toBe(403);
  });
});

const nothing = () => undefined;
const endKeys = () => Promise.resolve();

it('A call with a session looks up the account of its member once, and the list of sessions does, too', async () => {
  const database = new Database(join(product.dataDirectory, 'once.db'), { migrations });
  const lookedUp: number[] = [];
  const accountOf = (userId: number) => {
    lookedUp.push(userId);
    return { email: 'new@engawa.example', isActive: true, deactivations: 0 };
  };
  const sessions = createSessions({ database, now: () => 1_700_000_000_000, accountOf, endKeys, log: nothing });
  const open = () =>
    sessions.open({ userId: 1, authorization: 'Basic bWU6a2V5', userAgent: '', address: '', replaced: undefined });
  const [token] = [await open(), await open()];
  lookedUp.length = 0;
  expect(sessions.find(token)?.authorization).toBe(`Basic ${Buffer.from('new@engawa.example:key').toString('base64')}`);
  expect(lookedUp).toEqual([1]);
  expect(sessions.listOf(1, token)).toHaveLength(2);
  expect(lookedUp).toEqual([1, 1]);
  database.close();
});

it('A session that has been used calls with its new key as soon as the key is renewed', async () => {
  const database = new Database(join(product.dataDirectory, 'renewed.db'), { migrations });
  const sessions = createSessions({ database, now: () => 1_700_000_000_000, accountOf: nothing, endKeys, log: nothing });
  const token = await sessions.open({ userId: 1, authorization: 'Basic old', userAgent: '', address: '', replaced: undefined });
  expect([sessions.find(token)?.authorization, sessions.find(token)?.authorization]).toEqual(['Basic old', 'Basic old']);
  await sessions.reseal(token, 'Basic new');
  expect(sessions.find(token)?.authorization).toBe('Basic new');
  database.close();
});

it('When a member signs in beyond the maximum number of sessions, their least recently used session ends', async () => {
  const database = new Database(join(product.dataDirectory, 'many.db'), { migrations });
  let time = 1_700_000_000_000;
  const sessions = createSessions({ database, now: () => time, accountOf: nothing, endKeys, log: nothing });
  const open = (userId: number) => {
    time += 1000;
    return sessions.open({ userId, authorization: 'Basic bWU6a2V5', userAgent: '', address: '', replaced: undefined });
  };
  const another = await open(2);
  const tokens: string[] = [];
  for (let i = 0; i < maxSessions; i++) tokens.push(await open(1));
  const [first = '', second = ''] = tokens;
  time += 3_600_000;
  expect(sessions.find(first)).toBeDefined();
  await expect.poll(() => sessions.listOf(1, first).find(({ current }) => current)?.used).toBe(time / 1000);
  await open(1);
  expect(sessions.listOf(1, undefined)).toHaveLength(maxSessions);
  expect([first, second, another].map((token) => sessions.find(token) !== undefined)).toEqual([true, false, true]);
  database.close();
});
