import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deleteMessage, editMessage, getMessages, sendMessage, subscribe } from '@engawa/protocol';
import { paths } from '@engawa/protocol/product';
import { chatPaths } from '@engawa/protocol/uploads';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { runProductForFile } from '../testing/product.ts';

const product = await runProductForFile();
const host = 'localhost';
const content = Buffer.from('議事録\n');

async function upload(by: string, bytes: Uint8Array, name = '議事録 (案).txt') {
  const body = new FormData();
  body.append('any', new File([new Uint8Array(bytes)], name));
  return post(by, chatPaths.userUploads, body);
}
async function uploadAs(storedName: string, by: string, bytes: string) {
  const body = new FormData();
  body.append('dstFileName', storedName);
  body.append('file', new File([bytes], '議事録 (案).txt'));
  return post(by, paths.upload, body);
}
async function post(by: string, url: string, body: FormData) {
  const response = new Response(body);
  const headers = { host, 'content-type': response.headers.get('content-type') ?? '', authorization: await product.basicOf(by) };
  const payload = Buffer.from(await response.arrayBuffer());
  return product.app.inject({ method: 'POST', url, headers, payload });
}
const uploaded = async (by: string) => z.object({ uri: z.string() }).parse((await upload(by, content)).json()).uri;
const get = async (url: string, as?: string) =>
  product.app.inject({ url, headers: { host, ...(as === undefined ? {} : { authorization: await product.basicOf(as) }) } });
const listed = async (as: string) =>
  z
    .object({
      attachments: z.array(
        z.object({
          id: z.int(),
          name: z.string(),
          path_id: z.string(),
          size: z.int(),
          create_time: z.int(),
          messages: z.array(z.object({ id: z.int(), date_sent: z.int() })),
        }),
      ),
      upload_space_used: z.int(),
    })
    .parse((await get(chatPaths.attachments, as)).json());
const remove = async (as: string, id: number | undefined) =>
  product.app.inject({
    method: 'DELETE',
    url: `${chatPaths.attachments}/${id}`,
    headers: { host, authorization: await product.basicOf(as) },
  });

async function room(name: string): Promise<string> {
  await product.call('tanaka', subscribe, {
    subscriptions: [{ name }],
    principals: ['sato@engawa.example', 'tanaka@engawa.example'],
  });
  return name;
}
const send = async (to: string, text: string, by = 'tanaka') =>
  (await product.call(by, sendMessage, { type: 'stream', to, topic: 't', content: text })).id;

it('[R7.6] An upload of the chat API is open for the readers of its uploader’s message that links to it, and for nobody else', async () => {
  const to = await room('資料の部屋');
  const uri = await uploaded('tanaka');
  expect(uri).toMatch(/^\/user_uploads\/1\/[a-z0-9]{20}\.txt\/%E8%AD%B0/);
  expect((await get(uri, 'tanaka')).rawPayload.equals(content)).toBe(true);
  expect((await get(uri, 'sato')).statusCode).toBe(404);
  // A message of somebody else gives no access.
  await send(to, `[これ](${uri})`, 'sato');
  expect((await get(uri, 'sato')).statusCode).toBe(404);

  const message_id = await send(to, `[議事録](${uri})`);
  const shown = await get(uri, 'sato');
  expect(shown.rawPayload.equals(content)).toBe(true);
  expect(shown.headers).toMatchObject({
    'content-disposition': expect.stringContaining('attachment'),
    'x-content-type-options': 'nosniff',
  });
  expect((await get(uri, 'suzuki')).statusCode).toBe(404);
  expect((await get(uri)).statusCode).toBe(401);

  await product.call('tanaka', editMessage, { message_id, content: 'やめました' });
  expect((await get(uri, 'sato')).statusCode).toBe(404);
  await product.call('tanaka', editMessage, { message_id, content: `[やはり](${uri})` });
  expect((await get(uri, 'sato')).statusCode).toBe(200);
  await product.call('tanaka', deleteMessage, { message_id });
  expect((await get(uri, 'sato')).statusCode).toBe(404);
});

it('[R7.6] A temporary address opens an upload for a minute without credentials', async () => {
  const uri = await uploaded('tanaka');
  const { url } = z.object({ url: z.string() }).parse((await get(`/api/v1${uri}`, 'tanaka')).json());
  expect((await get(url)).rawPayload.equals(content)).toBe(true);
  expect(
    (await get(url.replace(/temporary\/(.)/, (_, first: string) => `temporary/${first === 'a' ? 'b' : 'a'}`))).statusCode,
  ).toBe(404);
  expect((await get(`/api/v1${uri}`, 'sato')).statusCode).toBe(404);
});

it('[R7.6] A member lists their own files with the messages that link to them, and deletes a file', async () => {
  const to = await room('一覧の部屋');
  const before = await listed('suzuki');
  await product.call('tanaka', subscribe, { subscriptions: [{ name: to }], principals: ['suzuki@engawa.example'] });
  const uri = await uploaded('suzuki');
  const id = await send(to, `[どこ](${uri})`, 'suzuki');
  const after = await listed('suzuki');
  const [file] = after.attachments;
  expect(file).toMatchObject({
    name: '議事録 (案).txt',
    path_id: uri.slice('/user_uploads/'.length),
    size: content.length,
    messages: [{ id }],
  });
  expect(after.upload_space_used).toBe(before.upload_space_used + content.length);
  expect((await remove('sato', file?.id)).json()).toMatchObject({ result: 'error', msg: 'Invalid attachment' });
  expect((await remove('suzuki', file?.id)).statusCode).toBe(200);
  expect((await get(uri, 'suzuki')).statusCode).toBe(404);
  expect(await listed('suzuki')).toEqual(before);
});

it('[R7.6] GET /attachments answers when a file was uploaded and when its messages were sent, in milliseconds', async () => {
  const to = await room('時刻の部屋');
  const uri = await uploaded('tanaka');
  const id = await send(to, `[きのうの](${uri})`);
  const { messages } = await product.call('tanaka', getMessages, { anchor: `${id}`, num_before: 0, num_after: 0 });
  const sent = (messages[0]?.timestamp ?? 0) * 1000;
  const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
  onTestFinished(() => database.close());
  database.exec('UPDATE file SET created = created - 86400');
  const file = (await listed('tanaka')).attachments.find(({ path_id }) => uri.endsWith(path_id));
  expect(file?.messages).toEqual([{ id, date_sent: sent }]);
  expect(file?.create_time).toBeLessThan(sent - 86_000_000);
});

it('[R7.6] A member cannot upload other bytes under the name of a deleted file that their message still links to', async () => {
  const to = await room('差し替えの部屋');
  const uri = await uploaded('tanaka');
  const message_id = await send(to, `[議事録](${uri})`);
  expect((await get(uri, 'sato')).rawPayload.equals(content)).toBe(true);
  const file = (await listed('tanaka')).attachments.find(({ path_id }) => uri.endsWith(path_id));
  expect((await remove('tanaka', file?.id)).statusCode).toBe(200);

  const [, , , storedName = ''] = uri.split('/');
  const refused = await uploadAs(storedName, 'tanaka', '別の内容');
  expect([refused.statusCode, refused.json()]).toMatchObject([409, { result: 'error' }]);
  expect((await get(uri, 'sato')).statusCode).toBe(404);
  await product.call('tanaka', deleteMessage, { message_id });
  expect((await uploadAs(storedName, 'tanaka', '別の内容')).statusCode).toBe(200);
});

it('An upload of the chat API that has no file is refused', async () => {
  const headers = { host, 'content-type': 'multipart/form-data; boundary=x', authorization: await product.basicOf('tanaka') };
  const answer = await product.app.inject({ method: 'POST', url: chatPaths.userUploads, headers, payload: '--x--\r\n' });
  expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'REQUEST_VARIABLE_MISSING' }]);
});
