/** Files and pictures of a product in front of a Zulip. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Database } from '@engawa/chat-server/database';
import { connect, getMessages, getOwnUser, getUsers, sendMessage } from '@engawa/client';
import { composeFileMessage } from '@engawa/protocol';
import { profile } from '@engawa/protocol/product';
import { uploadAnswer } from '@engawa/protocol/uploads';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { png } from '../../demo/documents/png.ts';
import { migrations } from '../../database/migrations.ts';
import { files } from '../../files/store.ts';
import { sweep } from '../../files/sweep.ts';
import { createStorage } from '../../storage/storage.ts';
import { runProduct } from '../../testing/product.ts';
import { apiKey, runUpstream } from '../../testing/upstream.ts';
import { startZulip } from '../../testing/zulip/zulip.ts';
import { type ZulipBrowser, zulipBrowserOf } from '../../testing/zulipBrowser.ts';
import { basicAuthorization } from '../connections.ts';
import { sentFilesIn } from './sentFiles.ts';

const zulip = await startZulip({ callsPerMinute: 100_000 });
const product = await runProduct({ ZULIP_SITE: zulip.url });
afterAll(async () => {
  await product.close();
  await zulip.close();
});
const tanaka = await zulipBrowserOf('tanaka', product);
const sato = await zulipBrowserOf('sato', product);
const suzuki = await zulipBrowserOf('suzuki', product);
const [idOfSato, idOfTanaka] = await Promise.all(
  [sato, tanaka].map(async ({ connection }) => (await getOwnUser(connection, {})).user_id),
);

const picture = png(4, 4, () => [200, 30, 30]);

let made = 0;
async function upload(browser: ZulipBrowser, name = '議事録.txt') {
  const form = new FormData();
  form.append('file', new File(['縁側'], name));
  form.append('dstFileName', `${String((made += 1)).padStart(20, 'b')}.txt`);
  const { stored_name: storedName, ...file } = uploadAnswer.parse((await browser.post('/api/api/upload/file', form)).json());
  return { url: `/api/storage/temp/${storedName}`, storedName, content: composeFileMessage({ ...file, storedName }) };
}

const send = ({ connection }: ZulipBrowser, content: string) =>
  sendMessage(connection, { type: 'direct', to: JSON.stringify([idOfSato]), content });
const statusOf = async (browser: ZulipBrowser, url: string) => (await browser.ask('GET', url)).statusCode;

describe('files that are sent in front of a Zulip', () => {
  it('[R7.8] A file is for its uploader until it is sent, and then for the readers of its message, with and without a hint', async () => {
    const { url, content } = await upload(tanaka);
    expect(await Promise.all([tanaka, sato].map((browser) => statusOf(browser, url)))).toEqual([200, 404]);
    const { id } = await send(tanaka, content);
    expect(await Promise.all([tanaka, sato, suzuki].map((browser) => statusOf(browser, url)))).toEqual([200, 200, 404]);
    expect(await statusOf(sato, `${url}?message=${id}`)).toBe(200);
    expect(await statusOf(suzuki, `${url}?message=${id}`)).toBe(404);
    expect((await sato.ask('GET', url)).body).toBe('縁側');
  });

  it('[R7.8] A file that a program of its uploader sends is for the readers of the message', async () => {
    const { url, content } = await upload(tanaka);
    const { authorization } = await keyOf('tanaka');
    const program = connect({ realm: product.address, headers: { authorization } });
    await sendMessage(program, { type: 'direct', to: JSON.stringify([idOfSato]), content });
    expect(await Promise.all([sato, suzuki].map((browser) => statusOf(browser, url)))).toEqual([200, 404]);
  });

  it('[R7.8] A message whose answer is lost keeps its file, and its reader opens it', async () => {
    const { url, storedName, content } = await upload(tanaka);
    const database = new Database(join(product.dataDirectory, 'engawa.db'), { migrations });
    onTestFinished(() => database.close());
    // The Zulip has the message, but its answer has no id.
    await zulip.fail({ emptyAnswers: true });
    await expect(send(tanaka, content)).rejects.toThrow();
    await zulip.fail();
    expect(sentFilesIn(database).messagesOfFile(idOfTanaka ?? 0, storedName, 2)).toEqual([
      { id: 0, sender_id: idOfTanaka, content },
    ]);
    const newest = { anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false };
    const { messages } = await getMessages(sato.connection, newest);
    expect(await statusOf(sato, `${url}?message=${messages.at(-1)?.id}`)).toBe(200);
  });

  it('[R7.8] A message with another size of the file does not stand for the one that is sent later', async () => {
    const { storedName, content } = await upload(tanaka);
    const database = new Database(join(product.dataDirectory, 'engawa.db'), { migrations });
    onTestFinished(() => database.close());
    await send(suzuki, composeFileMessage({ name: '議事録.txt', storedName, size: 1 }));
    await zulip.fail({ emptyAnswers: true });
    await expect(send(tanaka, content)).rejects.toThrow();
    await zulip.fail();
    expect(sentFilesIn(database).messagesOfFile(idOfTanaka ?? 0, storedName, 2)).toMatchObject([{ id: 0, content }]);
  });

  it('[R7.8] The sweep removes a file that was never sent, and none that was sent or about to be sent', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'engawa-sweep-'));
    const database = new Database(join(directory, 'engawa.db'), { migrations });
    onTestFinished(() => {
      database.close();
      rmSync(directory, { recursive: true });
    });
    const storage = createStorage(join(directory, 'files'));
    const sentFiles = sentFilesIn(database);
    const store = async (name: string) => {
      const place = await (await storage.receive(Readable.from([Buffer.from('bytes')]))).keep();
      const storedName = `${name.padStart(20, 'c')}.txt`;
      const row = { stored_name: storedName, place, uploader_id: 7, name: 'a.txt', size: 5, type: 'text/plain', created: 0 };
      await database.write((tx) => files.insert(tx, row));
      return { storedName, content: composeFileMessage({ name: 'a.txt', storedName, size: 5 }) };
    };
    const [never, expected, sent] = [await store('never'), await store('expected'), await store('sent')];
    await sentFiles.expect({ sender_id: 7, content: expected.content }, expected.storedName);
    await sentFiles.note({ id: 31, sender_id: 7, content: sent.content }, sent.storedName);
    await sweep({ database, storage, sentFiles, now: Date.now }, new AbortController().signal);
    const kept = [never, expected, sent].map(({ storedName }) => files.find(database.reader, storedName) !== undefined);
    expect(kept).toEqual([false, true, true]);
  });
});

describe('files of a Zulip', () => {
  it('[R7.8] An upload of another client is served to members from the own origin, so that a browser runs nothing in it', async () => {
    const { user_id: _, ...key } = await keyOf('tanaka');
    const form = new FormData();
    form.append('file', new File(['<script>alert(1)</script>'], 'page.html', { type: 'text/html' }));
    const uploaded = await fetch(`${zulip.url}/api/v1/user_uploads`, { method: 'POST', headers: key, body: form });
    const { uri }: { uri?: unknown } = Object(await uploaded.json());
    const answer = await tanaka.ask('GET', String(uri));
    expect([answer.statusCode, answer.body]).toEqual([200, '<script>alert(1)</script>']);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
    });
    expect((await product.app.inject({ url: String(uri), headers: { host: 'localhost' } })).statusCode).toBe(401);
    expect(await statusOf(tanaka, '/user_uploads/2/00/unknown/page.html')).toBe(404);
  });

  it('[R7.8] The picture of a member is served from the own origin, and no other path of the Zulip is', async () => {
    const { members } = await getUsers(tanaka.connection, { client_gravatar: false });
    const url = members.find(({ avatar_url }) => avatar_url?.startsWith('/user_avatars/'))?.avatar_url ?? '';
    const answer = await sato.ask('GET', url);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
    expect(
      members.map(({ avatar_url }) => avatar_url ?? '/user_avatars/').every((each) => each.startsWith('/user_avatars/')),
    ).toBe(true);
    zulip.received.length = 0;
    expect(await statusOf(sato, '/user_avatars/2/%5c..%5c')).toBe(400);
    expect(await statusOf(sato, '/avatar/7')).toBe(404);
    expect(zulip.received).toEqual([]);
  });

  it('[R7.8] A picture whose reader leaves before the Zulip answers is not logged as a failure', async () => {
    const path = '/user_avatars/2/left.png';
    const silent = await runUpstream();
    silent.on(`GET ${path}`, () => undefined);
    const impatient = await runProduct({ ZULIP_SITE: silent.site });
    const left = new AbortController();
    const headers = { authorization: basicAuthorization('hanako@niwa.example', apiKey) };
    const answer = fetch(`${impatient.address}${path}`, { headers, signal: left.signal });
    await expect.poll(() => silent.received.map(({ url }) => url)).toContain(path);
    left.abort();
    await expect(answer).rejects.toThrow('aborted');
    const metrics = async () => (await impatient.app.inject({ url: '/metrics', headers: { host: 'localhost' } })).body;
    await expect.poll(metrics).toContain('status="0"');
    // Closing takes longer than the end of the call.
    await impatient.close();
    expect(impatient.log.filter(({ event }) => event === 'call_failed')).toEqual([]);
  });

  it('[R7.8] While the Zulip is down a picture is answered with an error in JSON', async () => {
    await zulip.fail({ down: true });
    onTestFinished(() => zulip.fail());
    const answer = await tanaka.ask('GET', '/user_avatars/2/1.png');
    expect([answer.statusCode, answer.json().code]).toEqual([502, 'CHAT_SERVER_UNAVAILABLE']);
  });
});

async function keyOf(name: string) {
  const body = new URLSearchParams({ username: `${name}@engawa.example`, password: 'demo' });
  const answer = await fetch(`${zulip.url}/api/v1/fetch_api_key`, { method: 'POST', body });
  const { email, api_key, user_id }: { email?: unknown; api_key?: unknown; user_id?: unknown } = Object(await answer.json());
  return { user_id, authorization: `Basic ${Buffer.from(`${String(email)}:${String(api_key)}`).toString('base64')}` };
}

const save = async (browser: ZulipBrowser, fields: Readonly<Record<string, string | File>>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: '佐藤 花子', email: 'other@example.com', location: '京都', ...fields })) {
    form.append(name, value);
  }
  return browser.post('/api/profile', form);
};

describe('the profile in front of a Zulip', () => {
  it('[R7.8] Name and picture go to the Zulip, the location stays in the product, and the email does not change', async () => {
    const image = new File([new Uint8Array(picture)], 'me.png', { type: 'image/png' });
    const saved = profile.parse((await save(sato, { image })).json());
    expect(saved).toMatchObject({ name: '佐藤 花子', email: 'sato@engawa.example', location: '京都' });
    expect(saved.avatar_url).toMatch(/^\/user_avatars\//);
    expect(zulip.received.map(({ call }) => call)).toEqual(expect.arrayContaining(['PATCH /settings', 'POST /users/me/avatar']));
    expect(profile.parse((await sato.ask('GET', '/api/profile')).json())).toEqual(saved);
    await save(sato, { avatar: 'none' });
    expect(zulip.received.map(({ call }) => call)).toContain('DELETE /users/me/avatar');
  });

  it('[R7.8] A built-in picture is refused in words', async () => {
    const answer = await save(sato, { avatar: 'built-in:1' });
    expect([answer.statusCode, answer.json().msg]).toEqual([400, expect.stringContaining('Upload an image')]);
  });
});
