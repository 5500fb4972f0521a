import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, fetchApiKey } from '@engawa/client';
import { getOwnUser, getServerSettings, getSubscriptions } from '@engawa/protocol';
import { accountPaths } from '@engawa/protocol/accounts';
import { paths, session } from '@engawa/protocol/product';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cookieFrom, owner, type RunningProduct, runProduct, setUp } from '../testing/product.ts';
import { SetupCode, newSetupCode } from './setupCode.ts';

const host = 'localhost';
const password = { AUTH_MODE: 'password', INSECURE_HTTP: 'yes' };

async function empty(dataDirectory?: string): Promise<RunningProduct> {
  const product = await runProduct(password, dataDirectory);
  onTestFinished(() => product.close());
  return product;
}

const who = async ({ app }: RunningProduct, cookie?: string) =>
  session.parse((await app.inject({ url: paths.session, headers: cookie ? { host, cookie } : { host } })).json());
const ask = ({ app }: RunningProduct, payload: Readonly<Record<string, unknown>>, remoteAddress = '192.0.2.1') =>
  app.inject({ method: 'POST', url: accountPaths.setup, headers: { host }, payload, remoteAddress });

describe('setup code', () => {
  it('A setup code has 80 bits in four groups, and is accepted however it is typed', () => {
    const codes = new Set(Array.from({ length: 100 }, newSetupCode));
    expect(codes.size).toBe(100);
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);

    const code = new SetupCode('0A1B-CD2E-F3GH-9XYZ');
    for (const typed of [
      '0a1b-cd2e-f3gh-9xyz',
      '0A1BCD2EF3GH9XYZ',
      ' oAiB cd2e f3gh 9xyz ',
      '０Ａ１Ｂ－ＣＤ２Ｅ－Ｆ３ＧＨ－９ＸＹＺ',
    ]) {
      expect([typed, code.is(typed)]).toEqual([typed, true]);
    }
    for (const other of ['', '0A1B-CD2E-F3GH-9XY', '0A1B-CD2E-F3GH-9XYZ0', '0A1B-CD2E-F3GH-9XY2']) {
      expect([other, code.is(other)]).toEqual([other, false]);
    }
  });
});

describe('[R1.5] first start with passwords', () => {
  it('A server without an organisation answers GET /api/session with setup_needed, and refuses to sign anybody in', async () => {
    const product = await empty();
    expect(await who(product)).toMatchObject({
      auth_mode: 'password',
      member: null,
      setup_needed: true,
      organisation: null,
      default_member: null,
      candidates: [],
    });
    const realm = connect({ realm: product.address });
    expect(await realm.call(getServerSettings, {})).toMatchObject({ realm_name: '' });
    const refusal = { status: 401, code: 'AUTHENTICATION_FAILED' };
    const username = 'tanaka@engawa.example';
    await expect(fetchApiKey(realm, { username, password: 'demo' })).rejects.toMatchObject(refusal);
    const anybody = connect({ realm: product.address, username, apiKey: 'x'.repeat(32) });
    await expect(anybody.call(getOwnUser, {})).rejects.toMatchObject({ status: 401 });
    expect(product.log).toEqual([]);
  });

  it('A person with the setup code creates the organisation once and is signed in as its owner', async () => {
    const product = await empty();
    const cookie = await setUp(product);
    expect(await who(product, cookie)).toMatchObject({
      member: { email: owner.email, full_name: owner.name },
      setup_needed: false,
      organisation: owner.organisation,
    });
    expect(await streamsOf(product, cookie)).toEqual([owner.organisation]);
    const { api_key: apiKey, email: username } = await fetchApiKey(connect({ realm: product.address }), {
      username: owner.email,
      password: owner.password,
    });
    const own = await connect({ realm: product.address, username, apiKey }).call(getOwnUser, {});
    expect(own).toMatchObject({ role: 100, is_owner: true });

    const again = await ask(product, { code: product.setupCode, ...owner, email: 'other@niwa.example' });
    expect([again.statusCode, again.json()]).toMatchObject([409, { code: 'SETUP_DONE' }]);
  });

  it('Two setups at the same time create one organisation', async () => {
    const product = await empty();
    const both = await Promise.all(
      ['ichi@niwa.example', 'ni@niwa.example'].map((email) => ask(product, { code: product.setupCode, ...owner, email })),
    );
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    const founded = both.find(({ statusCode }) => statusCode === 200);
    expect((await who(product, cookieFrom(founded?.headers['set-cookie']))).member).not.toBeNull();
  });

  it('Many wrong setup codes do not keep the owner from using the right one', async () => {
    const product = await empty();
    const wrong = { code: 'AAAA-AAAA-AAAA-AAAA', ...owner };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(product, wrong)));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([403]));
    expect(answers[0]?.json()).toMatchObject({ code: 'SETUP_CODE_WRONG' });
    expect((await ask(product, { code: product.setupCode, ...owner })).statusCode).toBe(200);
  });

  it.each([
    ['a weak password', { password: 'password123' }, 'PASSWORD_TOO_WEAK'],
    ['a short password', { password: 'みじかい' }, 'PASSWORD_TOO_WEAK'],
    ['their name as the password', { password: 'niwano@niwa.example' }, 'PASSWORD_TOO_WEAK'],
    ['no address', { email: 'niwano' }, 'REQUEST_VARIABLE_INVALID'],
    ['no name', { name: ' ' }, 'BAD_REQUEST'],
    ['no organisation', { organisation: ' ' }, 'REQUEST_VARIABLE_INVALID'],
  ])('The setup refuses %s, and the setup code stays valid', async (_, change, code) => {
    const product = await empty();
    const answer = await ask(product, { code: product.setupCode, ...owner, ...change });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code }]);
    await setUp(product);
  });

  it('Until an organisation exists, the server prints a new setup code at each start, and the old one is invalid', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
    const start = () => runProduct(password, directory);
    const [first, second] = [await start().then(ended), await start().then(ended)];
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    expect(first).not.toBe(second);

    const product = await start();
    const old = await ask(product, { code: first, ...owner });
    expect(old.json()).toMatchObject({ code: 'SETUP_CODE_WRONG' });
    await setUp(product);
    await ended(product);
    const after = await empty(directory);
    expect(after.setupCode).toBeUndefined();
    expect(await who(after)).toMatchObject({ setup_needed: false, organisation: owner.organisation });
  });
});

describe('data directory', () => {
  it("A server with passwords does not start on the demo's data directory, nor the demo on data with passwords", async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engawa-'));
    await ended(await runProduct({}, directory));
    await expect(runProduct(password, directory)).rejects.toThrow(/デモの組織.*demo organisation/);
    // The directory was unlocked and is unchanged.
    const demo = await runProduct({}, directory);
    expect((await who(demo)).organisation).toBe('株式会社 縁側');
    await demo.close();

    const own = mkdtempSync(join(tmpdir(), 'engawa-'));
    const product = await runProduct(password, own);
    await setUp(product);
    await ended(product);
    await expect(runProduct({}, own)).rejects.toThrow(/AUTH_MODE=password .*Cannot start/);
    expect((await who(await empty(own))).organisation).toBe(owner.organisation);
  });
});

async function streamsOf({ app }: RunningProduct, cookie: string): Promise<string[]> {
  const url = '/api/v1/users/me/subscriptions';
  const answer = getSubscriptions.answer.parse((await app.inject({ url, headers: { host, cookie } })).json());
  return answer.subscriptions.map(({ name }) => name);
}

/** Closes the product and keeps its data. @returns its setup code. */
async function ended({ app, setupCode }: RunningProduct): Promise<string | undefined> {
  await app.close();
  return setupCode;
}
