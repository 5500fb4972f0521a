import { DatabaseSync } from 'node:sqlite';
import { join as joinPath } from 'node:path';
import { paths } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { ask, founded, join, passwordOf, signIn } from '../testing/accounts.ts';
import { cookieFrom, owner, type RunningProduct, runProduct, signIn as signInAs } from '../testing/product.ts';
import { maxKnownDevices } from './knownDevices.ts';

const sato = 'sato@niwa.example';
const day = 24 * 60 * 60_000;

/** Signs in and returns the cookie by which the server knows the browser again. */
async function deviceOf(product: RunningProduct, email: string, password: string, cookie?: string): Promise<string> {
  const answer = await signIn(product, email, password, { cookie, address: '203.0.113.9' });
  expect(answer.statusCode).toBe(200);
  return cookieFrom(answer.headers['set-cookie'], 'engawa_device');
}

/** A colleague at the same network address tries wrong passwords until the network is refused for this name. */
async function attack(product: RunningProduct, email: string): Promise<void> {
  for (let times = 0; times < 6; times += 1) await signIn(product, email, 'wrong');
  expect((await signIn(product, email, owner.password)).statusCode).toBe(429);
}

describe('A known device', () => {
  it('A member signs in on their usual device while a colleague behind the same address tries wrong passwords for them', async () => {
    const { product } = await founded();
    const cookie = await deviceOf(product, owner.email, owner.password);
    await attack(product, owner.email);
    expect((await signIn(product, owner.email, owner.password, { cookie })).statusCode).toBe(200);
  });

  it('A device stays known after the member signs out, for a year', async () => {
    const { product } = await founded();
    const signedIn = await signIn(product, owner.email, owner.password);
    const setCookie = signedIn.headers['set-cookie'];
    const device = cookieFrom(setCookie, 'engawa_device');
    expect([setCookie].flat()).toContainEqual(
      expect.stringMatching(/^engawa_device=[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/),
    );
    const out = await ask(product, 'POST', paths.logout, undefined, { cookie: `${cookieFrom(setCookie)}; ${device}` });
    expect([out.headers['set-cookie']].flat().join()).not.toContain('engawa_device');
    await attack(product, owner.email);
    product.pass(365 * day);
    expect((await signIn(product, owner.email, owner.password, { cookie: device })).statusCode).toBe(429);
    product.pass(-5000);
    expect((await signIn(product, owner.email, owner.password, { cookie: device })).statusCode).toBe(200);
  });

  it("A colleague's device is known for the colleague only", async () => {
    const { product, owner: by } = await founded();
    await join(product, by, { email: sato });
    const cookie = await deviceOf(product, sato, passwordOf(sato));
    await attack(product, owner.email);
    expect((await signIn(product, owner.email, owner.password, { cookie })).statusCode).toBe(429);
  });

  it('Members who share a browser are all known in it, and each sign-in makes its former cookie useless', async () => {
    const { product, owner: by } = await founded();
    await join(product, by, { email: sato });
    const first = await deviceOf(product, owner.email, owner.password);
    const second = await deviceOf(product, sato, passwordOf(sato), first);
    await attack(product, owner.email);
    expect((await signIn(product, owner.email, owner.password, { cookie: first })).statusCode).toBe(429);
    expect((await signIn(product, owner.email, owner.password, { cookie: second })).statusCode).toBe(200);
  });

  it('A member who types their email in capital letters is known on their device', async () => {
    const { product } = await founded();
    const cookie = await deviceOf(product, owner.email, owner.password);
    await attack(product, owner.email);
    expect((await signIn(product, owner.email.toUpperCase(), owner.password, { cookie })).statusCode).toBe(200);
  });

  it('A member has a limited number of known devices, and a new one replaces the one that was used least recently', async () => {
    const { product } = await founded();
    const first = await deviceOf(product, owner.email, owner.password);
    for (let index = 0; index < maxKnownDevices; index += 1) {
      product.pass(1000);
      await deviceOf(product, owner.email, owner.password);
    }
    await attack(product, owner.email);
    expect((await signIn(product, owner.email, owner.password, { cookie: first })).statusCode).toBe(429);
  });

  it('The database has no token of a known device', async () => {
    const { product } = await founded();
    const cookie = await deviceOf(product, owner.email, owner.password);
    const database = new DatabaseSync(joinPath(product.dataDirectory, 'engawa.db'), { readOnly: true });
    const rows = database.prepare('SELECT * FROM known_device').all();
    database.close();
    expect(rows).not.toEqual([]);
    const stored = rows.map(({ token_hash: hash }) =>
      hash instanceof Uint8Array ? Buffer.from(hash).toString('base64url') : '',
    );
    expect(stored.join()).not.toContain(cookie.slice('engawa_device='.length));
  });

  it('In the fake mode, a sign-in sets no cookie for the device', async () => {
    const product = await runProduct();
    const answer = await signInAs(product, 'tanaka');
    await product.close();
    expect([answer.headers['set-cookie']].flat().join()).not.toContain('engawa_device');
  });
});
