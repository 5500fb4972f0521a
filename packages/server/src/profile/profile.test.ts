import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Database } from '@engawa/chat-server/database';
import { ApiError, connect, getOwnUser as getOwnUserBy } from '@engawa/client';
import { getEvents, getOwnUser, getUser, regenerateApiKey, registerQueue, serverEvent } from '@engawa/protocol';
import { maxImageSide, memberHeader, profile, session } from '@engawa/protocol/product';
import { imageRefusals } from '@engawa/protocol/uploads';
import type { InjectOptions } from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { png } from '../demo/documents/png.ts';
import { createStorage } from '../storage/storage.ts';
import { migrations } from '../database/migrations.ts';
import { gif, jpeg } from '../testing/images.ts';
import { cookieFrom, emailOf, fromOwnPage, runProductForFile } from '../testing/product.ts';
import { removeUnknownPictures } from '../pictures/pictures.ts';
import { changePicture } from './pictures.ts';
import { avatars } from './store.ts';

const product = await runProductForFile();
const host = 'localhost';

const red = () => [200, 30, 30] as const;
const picture = png(64, 64, red);

interface FormFields {
  readonly name?: string;
  readonly email?: string;
  readonly location?: string;
  readonly avatar?: string;
  readonly image?: File;
}

const imageFile = (bytes: Buffer, name = 'me.png', type = 'image/png'): File => new File([new Uint8Array(bytes)], name, { type });

async function bodyOf(asked: FormFields): Promise<{ payload: Buffer; headers: Record<string, string> }> {
  const form = new FormData();
  for (const [field, value] of Object.entries(asked)) form.append(field, value);
  const body = new Response(form);
  const payload = Buffer.from(await body.arrayBuffer());
  return { payload, headers: { host, 'content-type': body.headers.get('content-type') ?? '' } };
}

/** A valid profile form of a demo member. */
const usual = (name: string): FormFields => ({ name: `縁側 ${name}`, email: emailOf(name), location: '京都' });

const posting = { method: 'POST', url: '/api/profile' } as const;

async function post(name: string, asked: FormFields, headers: InjectOptions['headers'] = {}) {
  const { payload, headers: own } = await bodyOf(asked);
  const authorization = await product.basicOf(name);
  return product.app.inject({ ...posting, headers: { ...own, authorization, ...headers }, payload });
}

async function save(name: string, asked: FormFields) {
  const answer = await post(name, { ...usual(name), ...asked });
  expect(answer.statusCode, answer.body).toBe(200);
  return profile.parse(answer.json());
}

async function mine(name: string) {
  const headers = { host, authorization: await product.basicOf(name) };
  return profile.parse((await product.app.inject({ url: '/api/profile', headers })).json());
}

async function look(url: string, name = 'sato', options: InjectOptions = {}) {
  const headers = { host, authorization: await product.basicOf(name) };
  return product.app.inject({ url, ...options, headers: { ...headers, ...options.headers } });
}

const kept = (): string[] => readdirSync(join(product.dataDirectory, 'avatars')).filter((name) => name !== 'arriving');
const arriving = (): string[] => readdirSync(join(product.dataDirectory, 'avatars', 'arriving'));

async function userOf(name: string) {
  const { user_id } = await product.call(name, getOwnUser, {});
  return (await product.call('sato', getUser, { user_id })).user;
}

describe('profile', () => {
  it('GET /api/profile returns the data that the organisation has about the member', async () => {
    expect(await mine('suzuki')).toEqual({
      name: '鈴木 健太',
      email: emailOf('suzuki'),
      location: '在宅（長野県）',
      timezone: 'Asia/Tokyo',
      avatar_url: null,
    });
  });

  it('[R4.12] [R7.4] A member can change their profile, and all members receive an event', async () => {
    const { queue_id, last_event_id } = await product.call('sato', registerQueue, { event_types: ['realm_user'] });
    const saved = await save('kato', { name: ' 加藤 夏菜 ', location: ' 札幌市 ', avatar: 'built-in:7' });
    expect(saved).toMatchObject({ name: '加藤 夏菜', location: '札幌市', avatar_url: '/avatars/avatar-7.svg' });
    expect(await mine('kato')).toEqual(saved);
    const { events } = await product.call('sato', getEvents, { queue_id, last_event_id, dont_block: true });
    const { user_id } = await userOf('kato');
    expect(events.map((event) => serverEvent.parse(event))).toMatchObject([
      { type: 'realm_user', person: { user_id, full_name: '加藤 夏菜' } },
      { type: 'realm_user', person: { user_id, avatar_url: '/avatars/avatar-7.svg' } },
    ]);
  });

  it("A member can read and change their profile with a session cookie, but not from another site's page", async () => {
    const cookie = await product.cookieOf('ito');
    const { payload, headers } = await bodyOf({ ...usual('ito'), avatar: 'keep' });
    const call = (more: Record<string, string>) =>
      product.app.inject({ ...posting, headers: { ...headers, cookie, ...more }, payload });
    expect((await call({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await call(fromOwnPage)).statusCode).toBe(200);
    const asked = await product.app.inject({ url: '/api/profile', headers: { host, cookie } });
    expect(asked.json()).toMatchObject({ name: '縁側 ito', location: '京都', avatar_url: '/avatars/avatar-8.svg' });
    expect(asked.headers['cache-control']).toBe('private, no-cache');
  });

  it.each([
    ['nobody', {}, 'UNAUTHORIZED'],
    ['an unknown session', { cookie: `engawa_session=${'x'.repeat(43)}`, ...fromOwnPage }, 'UNAUTHORIZED'],
    ['a wrong key', { authorization: `Basic ${btoa(`${emailOf('ito')}:${'x'.repeat(32)}`)}` }, 'INVALID_API_KEY'],
  ])('GET and POST /api/profile are refused to callers without valid credentials: %s', async (_, proof, code) => {
    const { payload, headers } = await bodyOf({ ...usual('ito'), avatar: 'keep' });
    for (const method of ['GET', 'POST'] as const) {
      const answer = await product.app.inject({
        method,
        url: '/api/profile',
        headers: { ...(method === 'POST' ? headers : { host }), ...proof },
        ...(method === 'POST' ? { payload } : {}),
      });
      expect([answer.statusCode, answer.json()]).toMatchObject([401, { code }]);
    }
  });

  it('POST /api/profile is refused if the page was opened for another member than the one now signed in', async () => {
    const cookie = await product.cookieOf('ito');
    const { payload, headers } = await bodyOf({ ...usual('ito'), name: '別人', avatar: 'keep' });
    const proof = { cookie, ...fromOwnPage, [memberHeader]: '1' };
    const answer = await product.app.inject({ ...posting, headers: { ...headers, ...proof }, payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
    expect((await userOf('ito')).full_name).not.toBe('別人');
  });

  it.each([
    ["Missing 'name' argument", { name: undefined }],
    ["Missing 'email' argument", { email: undefined }],
    ["Missing 'location' argument", { location: undefined }],
    ["Missing 'avatar' argument", { avatar: undefined }],
    ["Bad value for 'location': 　", { location: '　' }],
    [`Bad value for 'location': ${'京'.repeat(101)}`, { location: '京'.repeat(101) }],
    ["Bad value for 'avatar': built-in:5", { avatar: 'built-in:5' }],
    ["Bad value for 'avatar': ../../etc/passwd", { avatar: '../../etc/passwd' }],
    ['Name too short!', { name: ' ' }],
    ['Name too long!', { name: '名'.repeat(101) }],
    ['Invalid characters in name!', { name: '<script>' }],
    ['Invalid address.', { email: '' }],
    ['Invalid address.', { email: 'nishimura' }],
    [`Email '${emailOf('sato')}' already in use`, { email: emailOf('sato') }],
  ])('POST /api/profile refuses an invalid form with “%s” and changes nothing', async (msg, wrong) => {
    const before = await mine('nishimura');
    const disk = kept();
    const asked = { ...usual('nishimura'), avatar: 'built-in:1', ...wrong };
    const given: Record<string, string> = {};
    for (const [field, value] of Object.entries(asked)) if (typeof value === 'string') given[field] = value;
    const answer = await post('nishimura', given);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { result: 'error', msg }]);
    expect(await mine('nishimura')).toEqual(before);
    if ('avatar' in wrong) return;
    const { avatar: _, ...others } = given;
    expect((await post('nishimura', { ...others, image: imageFile(picture) })).statusCode).toBe(400);
    expect([await mine('nishimura'), kept(), arriving()]).toEqual([before, disk, []]);
  });

  it('POST /api/profile refuses a body that is not a multipart form', async () => {
    const authorization = await product.basicOf('ito');
    const answer = await product.app.inject({
      method: 'POST',
      url: '/api/profile',
      headers: { host, authorization },
      payload: { ...usual('ito'), avatar: 'keep' },
    });
    expect(answer.statusCode).toBe(415);
  });

  it('POST /api/profile refuses a truncated form', async () => {
    const { payload, headers } = await bodyOf({ ...usual('hara'), image: imageFile(picture) });
    const authorization = await product.basicOf('hara');
    const before = await mine('hara');
    for (const length of [30, 200, payload.length - 60, payload.length - 5]) {
      const answer = await product.app.inject({
        method: 'POST',
        url: '/api/profile',
        headers: { ...headers, authorization },
        payload: payload.subarray(0, length),
      });
      expect([answer.statusCode, answer.json()], `${length}`).toMatchObject([400, { result: 'error' }]);
    }
    expect([await mine('hara'), arriving()]).toEqual([before, []]);
  });
});

describe('profile picture', () => {
  it.each([
    ['image/png', picture],
    ['image/gif', gif(320, 200)],
    ['image/jpeg', jpeg(maxImageSide, maxImageSide)],
  ])('[R5.2] [R7.4] A profile picture is stored and shown to members with its type: %s', async (type, bytes) => {
    const { avatar_url: url } = await save('yamamoto', { image: imageFile(bytes, 'PHOTO.JPG', 'text/html') });
    expect(url).toMatch(/^\/api\/avatars\/\d+\/[\da-f-]{36}$/);
    expect((await userOf('yamamoto')).avatar_url).toBe(url);
    const shown = await look(url ?? '');
    expect(shown.rawPayload.equals(bytes)).toBe(true);
    expect(shown.headers).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    });
    const head = await look(url ?? '', 'sato', { method: 'HEAD' });
    expect([head.statusCode, head.body, head.headers['content-type']]).toEqual([200, '', type]);
  });

  it('A new profile picture replaces the previous one, which is removed from the disk', async () => {
    const disk = kept().length;
    const first = await save('goto', { image: imageFile(picture) });
    expect(kept()).toHaveLength(disk + 1);
    const second = await save('goto', { image: imageFile(gif(10, 10)) });
    expect(kept()).toHaveLength(disk + 1);
    expect((await look(first.avatar_url ?? '')).statusCode).toBe(404);
    expect(await save('goto', { avatar: 'keep', location: '奈良' })).toEqual({ ...second, location: '奈良' });
    expect((await look(second.avatar_url ?? '')).statusCode).toBe(200);
    expect(await save('goto', { avatar: 'built-in:2' })).toMatchObject({ avatar_url: '/avatars/avatar-2.svg' });
    expect(kept()).toHaveLength(disk);
    expect(await save('goto', { avatar: 'none' })).toMatchObject({ avatar_url: null });
  });

  it('[R5.2] A profile picture of 5,000,000 bytes is accepted, and a larger one is refused', async () => {
    const largest = Buffer.concat([gif(10, 10), Buffer.alloc(5_000_000 - gif(10, 10).length)]);
    expect((await save('kimura', { image: imageFile(largest) })).avatar_url).toContain('/api/avatars/');
    const before = [await mine('kimura'), kept()];
    const larger = Buffer.concat([largest, Buffer.from('.')]);
    const { payload, headers } = await bodyOf({ ...usual('kimura'), image: imageFile(larger) });
    const authorization = await product.basicOf('kimura');
    // On a real connection the client must receive the refusal before it has sent everything.
    const { host: _, ...own } = headers;
    const asked = { method: 'POST', headers: { ...own, authorization }, body: new Uint8Array(payload) };
    const answer = await fetch(`${product.address}/api/profile`, asked);
    const refusal = { code: 'PAYLOAD_TOO_LARGE', msg: imageRefusals.size };
    expect([answer.status, await answer.json()]).toMatchObject([413, refusal]);
    expect([await mine('kimura'), kept()]).toEqual(before);
    expect(arriving()).toEqual([]);
  });

  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  it.each([
    ['text', Buffer.from('only text')],
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG', Buffer.from(svg)],
    ['a WebP', Buffer.from('RIFF\0\0\0\0WEBPVP8 ')],
    ['a PDF', Buffer.from('%PDF-1.7')],
    ['a PNG without a header', Buffer.from('\x89PNG\r\n\x1a\n<script>', 'latin1')],
    ['a GIF without width', gif(0, 10)],
    ['a file that is also too large', Buffer.alloc(5_000_001, 'x')],
  ])('[R5.2] A profile picture is refused as %s, whatever its name', async (_, bytes) => {
    const before = [await mine('ishii'), kept()];
    const answer = await post('ishii', { ...usual('ishii'), image: imageFile(bytes, 'photo.jpeg', 'image/jpeg') });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { result: 'error', msg: imageRefusals.type }]);
    expect([await mine('ishii'), kept()]).toEqual(before);
    expect(arriving()).toEqual([]);
  });

  it.each([png(maxImageSide + 1, 1, red), gif(1, 65_535), jpeg(65_535, 65_535)])(
    'A profile picture is refused if it is wider or higher than the limit in pixels',
    async (bytes) => {
      const answer = await post('ishii', { ...usual('ishii'), image: imageFile(bytes) });
      const msg = `The image is more than ${maxImageSide} pixels wide or high.`;
      expect([answer.statusCode, answer.json()]).toMatchObject([400, { msg }]);
      expect(arriving()).toEqual([]);
    },
  );

  it('A form with both an uploaded profile picture and the field avatar is refused', async () => {
    const answer = await post('ishii', { ...usual('ishii'), avatar: 'keep', image: imageFile(picture) });
    expect(answer.json()).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' });
    expect(arriving()).toEqual([]);
  });

  it('A profile picture that contains a script is served as a sandboxed image', async () => {
    const page = Buffer.concat([gif(10, 10), Buffer.from('<script>alert(document.cookie)</script>')]);
    const { avatar_url: url } = await save('hashimoto', { image: imageFile(page, 'x.html', 'text/html') });
    const shown = await look(url ?? '', 'sato', { headers: { accept: 'text/html', 'sec-fetch-dest': 'document' } });
    expect(shown.headers).toMatchObject({
      'content-type': 'image/gif',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('A profile picture is returned only to callers with a valid session', async () => {
    const { avatar_url } = await save('yoshida', { image: imageFile(picture) });
    const url = avatar_url ?? '';
    expect((await product.app.inject({ url, headers: { host } })).statusCode).toBe(401);
    const cookie = await product.cookieOf('yamaguchi');
    expect((await product.app.inject({ url, headers: { host, cookie } })).statusCode).toBe(200);
    await product.app.inject({ method: 'POST', url: '/logout', headers: { host, cookie, ...fromOwnPage } });
    expect((await product.app.inject({ url, headers: { host, cookie } })).statusCode).toBe(401);
  });

  it('A profile picture is returned only at its exact address, and other paths below /api/avatars return no file', async () => {
    const [own, others] = [await save('matsumoto', { image: imageFile(picture) }), await mine('yoshida')];
    const [, , , user = '', version = ''] = (own.avatar_url ?? '').split('/');
    const [, , , other = ''] = (others.avatar_url ?? '').split('/');
    const up = encodeURIComponent('../../engawa.db');
    for (const path of [
      `${other}/${version}`,
      `${user}/${up}`,
      `${user}/..%2Favatars%2F${version}`,
      `${user}/arriving`,
      `${user}/%00`,
      `${user}/`,
      `${up}/${version}`,
      `-1/${version}`,
      `0x1/${version}`,
      `${user}/${version.toUpperCase()}`,
      `../avatars/${user}/../${version}`,
    ]) {
      const { statusCode, body } = await look(`/api/avatars/${path}`);
      expect([path, statusCode]).toEqual([path, /%(?:2f|00)/i.test(path) ? 400 : 404]);
      expect(body).not.toContain('SQLite');
    }
  });

  it("Loading 300 profile pictures does not use up a member's rate limit", async () => {
    const { avatar_url: url } = await save('inoue', { image: imageFile(picture) });
    const shown = await Promise.all(Array.from({ length: 300 }, () => look(url ?? '', 'shimizu')));
    expect(new Set(shown.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(await product.call('shimizu', getOwnUser, {})).toMatchObject({ email: emailOf('shimizu') });
  });

  it('A program whose API key has ended can load profile pictures for at most one more minute', async () => {
    const url = (await mine('inoue')).avatar_url ?? '';
    const headers = { host, authorization: await product.basicOf('aoki') };
    expect((await product.app.inject({ url, headers })).statusCode).toBe(200);
    await product.call('aoki', regenerateApiKey, {});
    product.pass(60_000);
    expect((await product.app.inject({ url, headers })).statusCode).toBe(401);
  });

  it('After concurrent changes of a profile picture, only the picture that was announced last is stored', async () => {
    const images = [picture, gif(1, 1), gif(2, 2), jpeg(3, 3)];
    const disk = kept().length;
    await Promise.all(images.map((bytes) => save('watanabe', { image: imageFile(bytes) })));
    const { avatar_url } = await userOf('watanabe');
    expect((await look(avatar_url ?? '')).statusCode).toBe(200);
    expect(kept()).toHaveLength(disk + 1);
  });

  it('The server refuses some of eight profile pictures that a member uploads at the same time', async () => {
    const images = Array.from({ length: 8 }, () => imageFile(Buffer.concat([gif(1, 1), Buffer.alloc(1_000_000)])));
    const answers = await Promise.all(images.map((image) => post('kondo', { ...usual('kondo'), image })));
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses).toContain(200);
    expect(statuses).toContain(400);
    expect(arriving()).toEqual([]);
  });
});

async function who(cookie: string) {
  return session.parse((await product.app.inject({ url: '/api/session', headers: { host, cookie } })).json());
}

function enter(email: string) {
  return product.app.inject({ method: 'POST', url: '/api/session', headers: { host }, payload: { email } });
}

async function nameBehind(email: string) {
  return session.parse((await enter(email)).json()).member?.full_name;
}

describe('changed email', () => {
  it('[R4.12] A member who changes their email stays signed in in every browser', async () => {
    const [here, elsewhere] = [await product.cookieOf('ueda'), await product.cookieOf('ueda')];
    const asked = { ...usual('ueda'), email: 'kazuko@engawa.example', avatar: 'built-in:3' };
    const { payload, headers } = await bodyOf(asked);
    const call = { ...posting, headers: { ...headers, cookie: here, ...fromOwnPage }, payload };
    expect((await product.app.inject(call)).json()).toMatchObject({ email: 'kazuko@engawa.example' });
    for (const cookie of [here, elsewhere]) {
      expect((await who(cookie)).member).toMatchObject({ email: 'kazuko@engawa.example' });
      const answer = await product.app.inject({ url: '/api/v1/users/me', headers: { host, cookie } });
      expect(answer.json()).toMatchObject({ delivery_email: 'kazuko@engawa.example' });
    }
  });

  it('A member whose email is changed by the chat API stays signed in in their browser', async () => {
    const headers = { host, cookie: await product.cookieOf('miura'), ...fromOwnPage };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = { method: 'PATCH', url: '/api/v1/settings', headers: { ...headers, ...form } } as const;
    expect((await product.app.inject({ ...call, payload: 'email=shin%40engawa.example' })).statusCode).toBe(200);
    const asked = await product.app.inject({ url: '/api/profile', headers });
    expect(asked.json()).toMatchObject({ email: 'shin@engawa.example' });
  });

  it('After a member changes their email, their programs must sign in with the new email and the same API key', async () => {
    const authorization = await product.basicOf('ono');
    const saved = await save('ono', { email: ' Naomi@engawa.example ', avatar: 'built-in:4' });
    expect(saved.email).toBe('Naomi@engawa.example');
    const apiKey = Buffer.from(authorization.slice('Basic '.length), 'base64').toString().split(':')[1] ?? '';
    const as = (username: string) => getOwnUserBy(connect({ realm: product.address, username, apiKey }), {});
    expect(await as('Naomi@engawa.example')).toMatchObject({ email: 'Naomi@engawa.example' });
    await expect(as(emailOf('ono'))).rejects.toThrow(ApiError);
  });

  it('At the fake sign-in a member can be chosen by their changed email and by the original one', async () => {
    await save('ishikawa', { name: '石川 新', email: 'toru@engawa.example', avatar: 'built-in:6' });
    for (const email of ['toru@engawa.example', 'TORU@engawa.example', emailOf('ishikawa')]) {
      const { member, candidates } = session.parse((await enter(email)).json());
      expect(member).toMatchObject({ email: 'toru@engawa.example', full_name: '石川 新' });
      const shown = { email: 'toru@engawa.example', full_name: '石川 新', avatar_url: '/avatars/avatar-6.svg' };
      expect(candidates).toContainEqual(expect.objectContaining({ ...shown, reading: 'いしかわ とおる' }));
    }
  });

  it("When the demo's default member changes their email, a new browser is still signed in as them", async () => {
    await save('tanaka', { email: 'sho@engawa.example', avatar: 'keep' });
    const { default_member } = await who('');
    expect(default_member).toBe('sho@engawa.example');
    const entered = await enter(default_member ?? '');
    expect(cookieFrom(entered.headers['set-cookie'])).toContain('engawa_session=');
  });

  it('A member can take an email that another member no longer uses', async () => {
    await save('fukuda', { email: 'minoru@engawa.example', avatar: 'built-in:1' });
    await save('hayashi', { name: '林 新', email: emailOf('fukuda'), avatar: 'built-in:1' });
    expect(await nameBehind(emailOf('fukuda'))).toBe('林 新');
    expect(await nameBehind(emailOf('hayashi'))).toBe('林 新');
    expect(await nameBehind('minoru@engawa.example')).toBe('縁側 fukuda');
  });
});

const nobodyHears = () => Promise.reject(new Error('the disk is full'));
const seven = { id: 7, authorization: '' };
const chatWith = (set: () => Promise<void>) => ({ pictures: { storedBy: 'product' as const, sees: () => true, set } });

function dependencies() {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-pictures-'));
  const database = new Database(join(directory, 'engawa.db'), { migrations });
  const storage = createStorage(join(directory, 'avatars'));
  onTestFinished(() => {
    database.close();
    rmSync(directory, { recursive: true });
  });
  const places = () => readdirSync(join(directory, 'avatars')).filter((name) => name !== 'arriving');
  const arrived = () => storage.receive(Readable.from([picture]));
  return { database, storage, places, arrived };
}

describe('stored pictures', () => {
  it('If the chat server does not accept a new picture, the former picture stays on the disk and in the database', async () => {
    const { database, storage, places, arrived } = dependencies();
    await changePicture({ database, storage, chat: chatWith(async () => {}) }, seven, await arrived());
    const before = places();
    const change = changePicture({ database, storage, chat: chatWith(nobodyHears) }, seven, await arrived());
    await expect(change).rejects.toThrow('the disk is full');
    expect(places()).toEqual(before);
    expect(avatars.ofOwner(database.reader, 7)).toMatchObject([{ version: before[0] }]);
  });

  it('When the product starts, it removes stored pictures without a database row', async () => {
    const { database, storage, places, arrived } = dependencies();
    await changePicture({ database, storage, chat: chatWith(async () => {}) }, seven, await arrived());
    const known = places();
    await (await arrived()).keep();
    expect(places()).toHaveLength(2);
    await removeUnknownPictures({ database, storage, rows: avatars });
    expect(places()).toEqual(known);
  });
});
