import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { Database } from '@engawa/chat-server/database';
import {
  composeFileMessage,
  deleteMessage,
  getMessages,
  getOwnUser,
  parseFileMessage,
  sendMessage,
  subscribe,
  unsubscribe,
  uploadLink,
} from '@engawa/protocol';
import { uploadAnswer } from '@engawa/protocol/uploads';
import type { InjectOptions } from 'fastify';
import { describe, expect, it } from 'vitest';
import { emailOf, fromOwnPage, runProductForFile } from '../testing/product.ts';
import { migrations } from '../database/migrations.ts';
import { exifSegment, jpeg, pngHeader } from '../testing/images.ts';
import { createQuota } from './quota.ts';
import { createStorage } from '../storage/storage.ts';
import { files } from './store.ts';

const maxFileSize = 100_000;
const product = await runProductForFile({ MAX_FILE_SIZE: String(maxFileSize) });
const host = 'localhost';
const uploads = '/api/api/upload/file';

let made = 0;
const newName = (extension = '.txt'): string => `${String(++made).padStart(20, 'a')}${extension}`;

type Part = readonly [header: string, content: Buffer | string];
const filePart = (name: string, content: Buffer | string, field = 'file'): Part => [
  `form-data; name="${field}"; filename="${name}"\r\nContent-Type: application/octet-stream`,
  content,
];
const namePart = (storedName: string): Part => ['form-data; name="dstFileName"', storedName];

function multipart(parts: readonly Part[]): { headers: Record<string, string>; payload: Buffer } {
  const bytes = parts.flatMap(([header, content]) => [
    Buffer.from(`--edge\r\nContent-Disposition: ${header}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const payload = Buffer.concat([...bytes, Buffer.from('--edge--\r\n')]);
  return { payload, headers: { host, 'content-type': 'multipart/form-data; boundary=edge' } };
}

type Fields = Readonly<Record<string, string>>;

function formData(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

function percentEncoded(fields: Fields): Blob {
  const text = new URLSearchParams(fields).toString().replaceAll('engawa', '%65ngawa');
  return new Blob([text], { type: 'application/x-www-form-urlencoded' });
}

const fileMessage = (storedName: string): string => composeFileMessage({ name: 'a.txt', storedName, size: 5 });
const link = (storedName: string): string => `[x](${uploadLink(storedName, 'a.txt')})`;

async function post(name: string, parts: readonly Part[]) {
  const { headers, payload } = multipart(parts);
  const authorization = await product.basicOf(name);
  return product.app.inject({ method: 'POST', url: uploads, headers: { ...headers, authorization }, payload });
}

/** @returns the stored name. */
async function upload(name: string, fileName: string, content: Buffer | string): Promise<string> {
  const storedName = newName();
  const answer = await post(name, [filePart(fileName, content), namePart(storedName)]);
  expect(answer.json()).toMatchObject({ result: 'success', size: Buffer.byteLength(content) });
  return storedName;
}

async function send(name: string, stream: string, content: string): Promise<number> {
  return (await product.call(name, sendMessage, { type: 'stream', to: stream, topic: 'stream events', content })).id;
}

type DownloadOptions = InjectOptions & { readonly query?: string };

async function download(name: string, storedName: string, { query = '', ...options }: DownloadOptions = {}) {
  return product.app.inject({
    url: `/api/storage/temp/${encodeURIComponent(storedName)}${query}`,
    ...options,
    headers: { host, authorization: await product.basicOf(name), ...options.headers },
  });
}

const inPerCents = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const onDisk = (): number => readdirSync(join(product.dataDirectory, 'files')).length;
const arriving = (): string[] => readdirSync(join(product.dataDirectory, 'files', 'arriving'));

describe('upload', () => {
  it('[R7.2] An upload is accepted with the field dstFileName before or after the file', async () => {
    const [first, last] = [newName('.xlsx'), newName('.xlsx')];
    expect((await post('tanaka', [namePart(first), filePart('見積.xlsx', 'bytes')])).statusCode).toBe(200);
    expect((await post('tanaka', [filePart('見積.xlsx', 'bytes'), namePart(last)])).statusCode).toBe(200);
    expect((await download('tanaka', first)).body).toBe('bytes');
    expect((await download('tanaka', last)).body).toBe('bytes');
  });

  it('[R2.17] The answer of an upload has the size of a picture that the chat may show', async () => {
    const contents = [jpeg(200, 1200, [exifSegment(6)]), pngHeader(16_000, 16_000), Buffer.from('a text')];
    const answers = contents.map(async (content) => post('tanaka', [filePart('庭.jpg', content), namePart(newName())]));
    const bodies = (await Promise.all(answers)).map((answer) => uploadAnswer.parse(answer.json()));
    expect(bodies.map(({ picture }) => picture)).toEqual([{ width: 1200, height: 200 }, undefined, undefined]);
  });

  it('An upload is accepted with the session cookie of a browser', async () => {
    const { headers, payload } = multipart([filePart('a.txt', 'bytes'), namePart(newName())]);
    const cookie = await product.cookieOf('tanaka');
    const call = (more: Record<string, string>) =>
      product.app.inject({ method: 'POST', url: uploads, headers: { ...headers, cookie, ...more }, payload });
    expect((await call({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await call(fromOwnPage)).statusCode).toBe(200);
  });

  it('An empty file can be uploaded, and so can a file without an extension', async () => {
    const storedName = newName('');
    expect((await post('tanaka', [filePart('README', ''), namePart(storedName)])).statusCode).toBe(200);
    const answer = await download('tanaka', storedName);
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '0']);
  });

  it.each([
    ['too short', 'abc.txt'],
    ['of uppercase letters', `${'A'.repeat(20)}.txt`],
    ['a path', '../../../../etc/passwd'],
    ['a path in the extension', `${'a'.repeat(20)}./../x`],
    ['with spaces', `${'a'.repeat(20)}.t xt`],
    ['with a comma', `${'a'.repeat(20)}.t,xt`],
    ['empty', ''],
  ])('[R7.2] An upload is refused when the stored name in dstFileName is %s', async (_, storedName) => {
    const before = onDisk();
    const answer = await post('tanaka', [filePart('a.txt', 'bytes'), namePart(storedName)]);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ result: 'error', code: 'REQUEST_VARIABLE_INVALID' });
    expect([onDisk(), arriving()]).toEqual([before, []]);
  });

  it('[R7.2] An upload is refused when the stored name already belongs to a file, and that file stays unchanged', async () => {
    const storedName = await upload('tanaka', 'a.txt', 'mine');
    const before = onDisk();
    for (const name of ['tanaka', 'sato']) {
      const answer = await post(name, [namePart(storedName), filePart('a.txt', 'other')]);
      expect([answer.statusCode, answer.json()]).toMatchObject([409, { result: 'error' }]);
    }
    expect((await download('tanaka', storedName)).body).toBe('mine');
    expect(onDisk()).toBe(before);
  });

  it.each([
    ['the file', [namePart('a'.repeat(20))], "Missing 'file' argument"],
    ['the name', [filePart('a.txt', 'bytes')], "Missing 'dstFileName' argument"],
    ['everything', [], "Missing 'file' argument"],
    ["the file's field", [filePart('a.txt', 'bytes', 'other'), namePart('a'.repeat(20))], "Missing 'file' argument"],
  ] as const)('An upload is refused without %s', async (_, parts, msg) => {
    const answer = await post('tanaka', parts);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { msg, code: 'REQUEST_VARIABLE_MISSING' }]);
    expect(arriving()).toEqual([]);
  });

  it('An upload is refused when it contains two files, has another content type or is truncated', async () => {
    const two = await post('tanaka', [filePart('a.txt', '1'), filePart('b.txt', '2'), namePart(newName())]);
    expect([two.statusCode, two.json()]).toMatchObject([400, { result: 'error' }]);

    const { headers, payload } = multipart([filePart('a.txt', 'x'.repeat(1000)), namePart(newName())]);
    const authorization = await product.basicOf('tanaka');
    const inject = (more: InjectOptions) =>
      product.app.inject({ method: 'POST', url: uploads, headers: { ...headers, authorization }, ...more });
    const half = await inject({ payload: payload.subarray(0, 500) });
    expect([half.statusCode, half.json()]).toMatchObject([400, { result: 'error' }]);
    const json = await inject({ headers: { host, authorization }, payload: { file: 'x' } });
    expect([json.statusCode, json.json()]).toMatchObject([415, { result: 'error' }]);
    expect(arriving()).toEqual([]);
  });

  it('An upload without credentials is refused', async () => {
    const { headers, payload } = multipart([filePart('a.txt', 'bytes'), namePart(newName())]);
    const answer = await product.app.inject({ method: 'POST', url: uploads, headers, payload });
    expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
  });

  it('A file of the maximum size can be uploaded, and a file one byte larger is refused', async () => {
    const before = onDisk();
    await upload('tanaka', 'just.bin', Buffer.alloc(maxFileSize));
    const answer = await post('tanaka', [filePart('over.bin', Buffer.alloc(maxFileSize + 1)), namePart(newName())]);
    expect([answer.statusCode, answer.json()]).toMatchObject([413, { result: 'error', code: 'PAYLOAD_TOO_LARGE' }]);
    expect(answer.json().msg).toContain(String(maxFileSize));
    expect([onDisk(), arriving()]).toEqual([before + 1, []]);
  });

  it('An upload with a far too large Content-Length is refused at once, and the client receives the refusal', async () => {
    const form = new FormData();
    form.set('dstFileName', newName());
    form.set('file', new Blob([Buffer.alloc(50 * maxFileSize)]), 'huge.bin');
    const headers = { authorization: await product.basicOf('tanaka') };
    const answer = await fetch(product.address + uploads, { method: 'POST', headers, body: form });
    expect([answer.status, await answer.json()]).toMatchObject([413, { code: 'PAYLOAD_TOO_LARGE' }]);
    expect(arriving()).toEqual([]);
  });

  it('When a client aborts an upload, the server removes the received part from the disk', async () => {
    const before = onDisk();
    const { payload } = multipart([namePart(newName()), filePart('cut.bin', Buffer.alloc(80_000))]);
    const socket = connectSocket(Number(new URL(product.address).port), '127.0.0.1');
    socket.write(
      `POST ${uploads} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${await product.basicOf('tanaka')}\r\n` +
        `Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: ${payload.length}\r\n\r\n`,
    );
    socket.write(payload.subarray(0, 40_000));
    await expect.poll(arriving).toHaveLength(1);
    socket.destroy();
    await expect.poll(arriving).toEqual([]);
    expect(onDisk()).toBe(before);
    expect(product.log).toEqual([]);
  });

  it('When the server starts, it removes partly received uploads of an earlier process', () => {
    const directory = join(product.dataDirectory, 'other-files');
    createStorage(directory);
    writeFileSync(join(directory, 'arriving', 'half'), 'x');
    createStorage(directory);
    expect(readdirSync(join(directory, 'arriving'))).toEqual([]);
  });
});

describe('unsent uploads of a member', () => {
  const gibibyte = 1024 ** 3;
  const stored_name = newName();
  const add = async (size: number) => {
    const database = new Database(join(product.dataDirectory, 'engawa.db'), { migrations });
    const { user_id: uploader_id } = await product.call('kobayashi', getOwnUser, {});
    const row = { stored_name, place: stored_name, uploader_id, name: 'a', size, type: 'a', created: 0 };
    await database.write((tx) => files.insert(tx, row));
    return database;
  };
  const another = async (size: number) => post('kobayashi', [filePart('a.txt', Buffer.alloc(size)), namePart(newName())]);

  it("An upload is refused when the member's unsent files would exceed one gibibyte", async () => {
    const database = await add(gibibyte - 5000);
    expect((await another(1000)).statusCode).toBe(200);
    const before = onDisk();
    const refusal = await another(5000);
    expect([refusal.statusCode, refusal.json()]).toMatchObject([400, { result: 'error', code: 'BAD_REQUEST' }]);
    expect(refusal.json().msg).toContain(String(gibibyte));
    expect([onDisk(), arriving()]).toEqual([before, []]);
    await upload('tanaka', 'a.txt', Buffer.alloc(5000));

    await database.write((tx) => files.markSent(tx, stored_name));
    expect((await another(5000)).statusCode).toBe(200);
    database.close();
  });

  it('An upload counts for the limit of unsent files while it arrives, and no longer when it fails', () => {
    const database = new Database(join(product.dataDirectory, 'engawa.db'), { migrations });
    const reserve = createQuota(database, maxFileSize);
    const release = reserve(1, gibibyte / 2);
    reserve(1, gibibyte / 2);
    expect(() => reserve(1, 1)).toThrow(/unsent/);
    reserve(2, gibibyte);
    release();
    reserve(1, gibibyte / 2);
    database.close();
  });
});

describe('[R7.3] download', () => {
  it('[R3.3.2] Only its uploader can download an unsent file, and all readers of its message can download a sent one', async () => {
    const storedName = await upload('tanaka', '見積.txt', 'bytes');
    expect((await download('tanaka', storedName)).body).toBe('bytes');
    expect((await download('suzuki', storedName)).statusCode).toBe(404);

    await send('tanaka', 'プロダクト開発部', composeFileMessage({ name: '見積.txt', storedName, size: 5 }));
    expect((await download('suzuki', storedName)).body).toBe('bytes');
    expect((await download('tanaka', storedName)).body).toBe('bytes');
    expect((await download('nakajima', storedName)).statusCode).toBe(404);
  });

  it('[R2.17] A message with the size of a picture gives access to the picture, also by a link that contains the size', async () => {
    const storedName = await upload('tanaka', '庭.png', 'bytes');
    const picture = { width: 1200, height: 200 };
    await send('tanaka', 'プロダクト開発部', composeFileMessage({ name: '庭.png', storedName, size: 5, picture }));
    expect((await download('suzuki', storedName)).body).toBe('bytes');
    expect((await download('suzuki', `${storedName}#1200x200`)).body).toBe('bytes');
    expect((await download('nakajima', storedName)).statusCode).toBe(404);
  });

  it('[R3.3.2] A member who subscribes after a file was sent can download it, but a former subscriber cannot', async () => {
    const storedName = await upload('tanaka', '間取り.txt', 'bytes');
    const principals = [emailOf('nakajima')];
    await product.call('tanaka', subscribe, { subscriptions: [{ name: '間取りの相談' }] });
    const id = await send('tanaka', '間取りの相談', composeFileMessage({ name: '間取り.txt', storedName, size: 5 }));
    const query = `?message=${id}`;
    expect((await download('nakajima', storedName, { query })).statusCode).toBe(404);
    await product.call('tanaka', subscribe, { subscriptions: [{ name: '間取りの相談' }], principals });
    expect((await download('nakajima', storedName)).body).toBe('bytes');
    expect((await download('nakajima', storedName, { query })).body).toBe('bytes');
    await product.call('nakajima', unsubscribe, { subscriptions: ['間取りの相談'] });
    expect((await download('nakajima', storedName)).statusCode).toBe(404);
    expect((await download('nakajima', storedName, { query })).statusCode).toBe(404);
  });

  it('[R3.3.2] Only the participants of a direct conversation can download a file that was sent in it', async () => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const content = composeFileMessage({ name: 'a.txt', storedName, size: 5 });
    await product.call('tanaka', sendMessage, { type: 'direct', to: emailOf('suzuki'), content });
    expect((await download('suzuki', storedName)).body).toBe('bytes');
    expect((await download('sato', storedName)).statusCode).toBe(404);
  });

  it("[R3.3.2] A download of a missing file and one of another member's unsent file get the same answer", async () => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const answers = await Promise.all(
      [storedName, newName(), 'nonsense', '..%2Fengawa.db'].map((name) => download('nakajima', name)),
    );
    for (const answer of answers) {
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toEqual({ result: 'error', msg: 'There is no such file.', code: 'NOT_FOUND' });
    }
  });

  it.each(['../engawa.db', '..\\engawa.db', 'a\0.txt'])(
    '[R3.3.2] A download with a name that could be read as a path is refused: %j',
    async (name) => expect((await download('nakajima', name)).statusCode).toBe(400),
  );

  it('[R3.3.2] Nobody can download a file after its file message is deleted', async () => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const id = await send('tanaka', 'プロダクト開発部', composeFileMessage({ name: 'a.txt', storedName, size: 5 }));
    await product.call('tanaka', deleteMessage, { message_id: id });
    for (const name of ['tanaka', 'suzuki']) expect((await download(name, storedName)).statusCode).toBe(404);
  });

  it('[R3.3.2] A message that names the file of another member gives nobody access to that file', async () => {
    const storedName = await upload('tanaka', 'secret.txt', 'bytes');
    const named = composeFileMessage({ name: 'secret.txt', storedName, size: 5 });
    const id = await send('suzuki', 'プロダクト開発部', named);
    expect((await download('suzuki', storedName)).statusCode).toBe(404);
    expect((await download('suzuki', storedName, { query: `?message=${id}` })).statusCode).toBe(404);
    // The file was not sent, so its uploader still has access.
    expect((await download('tanaka', storedName)).statusCode).toBe(200);
  });

  it('[R3.3.2] A file message with a wrong size, or a text that mentions the stored name, gives nobody access to the file', async () => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const wrongSize = await send('tanaka', 'プロダクト開発部', composeFileMessage({ name: 'a.txt', storedName, size: 6 }));
    const text = await send('tanaka', 'プロダクト開発部', `見てください: ${storedName}`);
    for (const id of [wrongSize, text]) {
      expect((await download('suzuki', storedName, { query: `?message=${id}` })).statusCode).toBe(404);
    }
  });

  it('[R3.3.2] A member who names an unreadable message, or the message of another file, in a download gets no access', async () => {
    const [storedName, other] = [await upload('tanaka', 'a.txt', 'bytes'), await upload('tanaka', 'b.txt', 'bytes')];
    const hidden = await send('tanaka', 'プロダクト開発部', composeFileMessage({ name: 'a.txt', storedName, size: 5 }));
    const open = await send('tanaka', '雑談・縁側', composeFileMessage({ name: 'b.txt', storedName: other, size: 5 }));
    for (const id of [hidden, open]) {
      expect((await download('nakajima', storedName, { query: `?message=${id}` })).statusCode).toBe(404);
    }
    expect((await download('nakajima', other)).statusCode).toBe(200);
  });

  it.each([
    ['every character percent-encoded', (content: string) => ['', `content=${content}`]],
    ['two contents, of which the last counts', (content: string) => ['', `content=x&content=${content}`]],
    ['the content in the query', (content: string) => [`&content=${content}`, '']],
  ])('The server recognises a file message and lets its readers download the file, if the form has %s', async (_, write) => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const [query, payload] = write(inPerCents(composeFileMessage({ name: 'a.txt', storedName, size: 5 })));
    const sent = await product.app.inject({
      method: 'POST',
      url: `/api/v1/messages?type=stream&to=${encodeURIComponent('プロダクト開発部')}&topic=t${query}`,
      headers: {
        host,
        authorization: await product.basicOf('tanaka'),
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: payload ?? '',
    });
    expect(sent.json()).toMatchObject({ result: 'success' });
    expect((await download('suzuki', storedName)).statusCode).toBe(200);
  });

  it('[R3.3.2] Readers can download a sent file even if the server did not mark it as sent, and the download does not mark it', async () => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const id = await send('tanaka', 'プロダクト開発部', composeFileMessage({ name: 'a.txt', storedName, size: 5 }));
    const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
    database.prepare('UPDATE file SET sent = 0 WHERE stored_name = ?').run(storedName);
    expect((await download('suzuki', storedName)).statusCode).toBe(200);
    expect((await download('suzuki', storedName, { query: `?message=${id}` })).statusCode).toBe(200);
    expect((await download('nakajima', storedName)).statusCode).toBe(404);
    expect(database.prepare('SELECT sent FROM file WHERE stored_name = ?').get(storedName)).toEqual({ sent: 0 });
    database.close();
  });

  it.each([
    ['a file message in a multipart form', formData, fileMessage],
    ['a link to an upload in a multipart form', formData, link],
    ['a file message with a letter that is percent-encoded without need', percentEncoded, fileMessage],
  ])('The server marks a file as sent for %s', async (_, encode, contentFor) => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const fields = { type: 'stream', to: 'プロダクト開発部', topic: 't', content: contentFor(storedName) };
    const headers = { authorization: await product.basicOf('tanaka') };
    const answer = await fetch(`${product.address}/api/v1/messages`, { method: 'POST', headers, body: encode(fields) });
    expect(answer.status).toBe(200);
    const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
    expect(database.prepare('SELECT sent FROM file WHERE stored_name = ?').get(storedName)).toEqual({ sent: 1 });
    database.close();
  });

  it.each(['abc', '-1', '1.5', '1e3', ''])('A download with %j as the id of its message is refused', async (id) => {
    const answer = await download('tanaka', newName(), { query: `?message=${id}` });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { result: 'error', msg: 'Invalid message' }]);
  });

  it('A download without credentials is refused, and one with a session cookie is accepted', async () => {
    const storedName = await upload('tanaka', 'a.txt', 'bytes');
    const answer = await product.app.inject({ url: `/api/storage/temp/${storedName}`, headers: { host } });
    expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, undefined]);
    const cookie = await product.cookieOf('tanaka');
    const own = await product.app.inject({ url: `/api/storage/temp/${storedName}`, headers: { host, cookie } });
    expect(own.body).toBe('bytes');
  });

  it('A subscriber can download a file that the demo sent to a stream, and others cannot', async () => {
    const { messages } = await product.call('tanaka', getMessages, {
      anchor: 'newest',
      num_before: 20,
      num_after: 0,
      apply_markdown: false,
      narrow: [{ operator: 'stream', operand: 'プロダクト開発部' }],
    });
    const named = messages.map(({ content }) => parseFileMessage(content)).find((file) => file !== undefined);
    const storedName = named?.storedName ?? '';
    const answer = await download('tanaka', storedName);
    expect([answer.statusCode, answer.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK']);
    expect((await download('nakajima', storedName)).statusCode).toBe(404);
  });
});

describe('name of a downloaded file', () => {
  it('A file message with another name than the uploaded one gives no access to the file', async () => {
    const storedName = await upload('tanaka', '見積.xlsx', 'bytes');
    const claim = composeFileMessage({ name: '安全.txt', storedName, size: 5 });
    const id = await send('tanaka', 'プロダクト開発部', claim);
    expect((await download('sato', storedName, { query: `?message=${id}` })).statusCode).toBe(404);
  });

  it('A file whose stored original name contains a direction mark is downloaded under a name without it', async () => {
    const storedName = await upload('tanaka', '請求gpj.exe', 'bytes');
    const name = '請求\u200fgpj.exe';
    const database = new DatabaseSync(join(product.dataDirectory, 'engawa.db'));
    database.prepare('UPDATE file SET name = ? WHERE stored_name = ?').run(name, storedName);
    database.close();
    await send('tanaka', 'プロダクト開発部', composeFileMessage({ name, storedName, size: 5 }));
    const answer = await download('sato', storedName);
    expect(answer.headers['content-disposition']).toContain(encodeURIComponent('請求_gpj.exe'));
  });

  it('A file uploaded without a name gets its stored name as its original name', async () => {
    const storedName = newName();
    const answer = await post('tanaka', [filePart('', 'bytes'), namePart(storedName)]);
    expect([answer.statusCode, answer.json()]).toMatchObject([200, { name: storedName }]);
  });

  it.each([
    ['a comma', '見積,最終.xlsx', "filename*=UTF-8''%E8%A6%8B%E7%A9%8D%2C%E6%9C%80%E7%B5%82.xlsx"],
    ['an emoji', '🎉完成.txt', "filename*=UTF-8''%F0%9F%8E%89%E5%AE%8C%E6%88%90.txt"],
    ['decomposed letters', 'か\u3099くせい.txt', `filename*=UTF-8''${encodeURIComponent('がくせい.txt')}`],
    ['another emoji', '😀.pdf', "filename*=UTF-8''%F0%9F%98%80.pdf"],
    ['decomposed kana', 'カ\u3099イド.pdf', `filename*=UTF-8''${encodeURIComponent('ガイド.pdf')}`],
    ['a direction mark', '請求\u200fgpj.exe', `filename*=UTF-8''${encodeURIComponent('請求_gpj.exe')}`],
    ['a direction override', '請求\u202egpj.exe', `filename*=UTF-8''${encodeURIComponent('請求_gpj.exe')}`],
    ['a quotation mark, as browsers write it', 'a%22b.txt', "filename*=UTF-8''a%22b.txt"],
    ['a backslash', 'back\\slash.txt', "filename*=UTF-8''back%5Cslash.txt"],
    ['characters of header syntax', "a'b(c)*;d.txt", "filename*=UTF-8''a%27b%28c%29%2A%3Bd.txt"],
  ])('[R7.3] The file name in the header of a download is encoded safely if it has %s', async (_, name, expected) => {
    const answer = await download('tanaka', await upload('tanaka', name, 'bytes'));
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.() -]+"; filename\*=UTF-8''\S+$/);
    expect(answer.headers['content-disposition']).toContain(expected);
  });

  it.each([
    ['a new line, as browsers send it', 'a%0D%0ASet-Cookie: x=y.txt'],
    ['a new line in an extended name', 'x.txt"; filename*=UTF-8\'\'a%0D%0ASet-Cookie%3A%20x%3Dy.txt; x="'],
    ['a quotation mark', 'a\\"; filename=\\"b.exe'],
    ['a null', 'a\0b.txt'],
  ])('A file name cannot inject %s into the headers of a download', async (_, name) => {
    const answer = await download('tanaka', await upload('tanaka', name, 'bytes'));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['set-cookie']).toBeUndefined();
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="[\w.() -]+"; filename\*=UTF-8''[\w.%~!-]+$/);
  });

  it('[R2.17] A picture with too many pixels is refused as a picture also from a browser that has its bytes, but downloaded', async () => {
    const bytes = pngHeader(16_000, 16_000);
    const storedName = await upload('tanaka', 'a.png', bytes);
    const whole = await download('tanaka', storedName);
    expect([whole.statusCode, whole.rawPayload.equals(bytes)]).toEqual([200, true]);
    const etag = String(whole.headers.etag);
    const refused = await download('tanaka', storedName, { query: '?as=picture', headers: { 'if-none-match': etag } });
    expect([refused.statusCode, refused.json()]).toMatchObject([422, { code: 'PICTURE_TOO_LARGE' }]);
    expect((await download('suzuki', storedName, { query: '?as=picture' })).statusCode).toBe(404);
    const shown = await download('tanaka', await upload('tanaka', 'b.png', pngHeader(100, 100)), { query: '?as=picture' });
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/png']);
  });

  it('The server does not read a picture again for a browser that has shown it', async () => {
    const directory = join(product.dataDirectory, 'files');
    const before = new Set(readdirSync(directory));
    const storedName = await upload('tanaka', 'c.png', pngHeader(100, 100));
    const picture = { query: '?as=picture' };
    const etag = String((await download('tanaka', storedName, picture)).headers.etag);
    for (const place of readdirSync(directory)) if (!before.has(place)) rmSync(join(directory, place));
    const again = await download('tanaka', storedName, { ...picture, headers: { 'if-none-match': etag } });
    expect(again.statusCode).toBe(304);
    expect((await download('suzuki', storedName, { ...picture, headers: { 'if-none-match': etag } })).statusCode).toBe(404);
  });

  it("An upload is refused when the file's name is longer than file systems allow", async () => {
    const answer = await post('tanaka', [filePart(`${'あ'.repeat(252)}.txt`, 'bytes'), namePart(newName())]);
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { result: 'error' }]);
  });
});

describe('content type of a download', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['image/gif', 'GIF89a\x01\0'],
    ['image/webp', 'RIFF\x10\0\0\0WEBPVP8 '],
    ['image/avif', '\0\0\0\x1cftypavif\0\0\0\0'],
    ['application/pdf', '%PDF-1.7\n'],
    ['application/octet-stream', '<!doctype html><script>alert(1)</script>'],
    ['application/octet-stream', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['application/octet-stream', 'PK\x03\x04'],
  ])("A download has the content type %s, detected from the file's content and not from its name", async (type, content) => {
    const storedName = await upload('tanaka', 'page.html', Buffer.from(content, 'latin1'));
    const { headers } = await download('tanaka', storedName);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    });
    expect(headers['content-disposition']).toMatch(/^attachment;/);
  });
});

describe('range of a file', async () => {
  const storedName = await upload('tanaka', 'digits.txt', '0123456789');
  const etag = String((await download('tanaka', storedName)).headers.etag);

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=4-', '456789', 'bytes 4-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
    ['bytes=9-100', '9', 'bytes 9-9/10'],
  ])('[R7.3] A download with the header Range: %s returns that part of the file', async (range, body, contentRange) => {
    const answer = await download('tanaka', storedName, { headers: { range } });
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([206, body, contentRange]);
    expect(answer.headers['content-length']).toBe(String(body.length));
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])(
    '[R7.3] A download with the header Range: %s is refused, because the file is shorter',
    async (range) => {
      const answer = await download('tanaka', storedName, { headers: { range } });
      expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10']);
    },
  );

  it.each(['bytes=0-1,3-4', 'bytes=3-1', 'bytes=a-b', 'lines=0-1', 'bytes=-'])(
    'A download with the header Range: %s returns the whole file',
    async (range) => {
      const answer = await download('tanaka', storedName, { headers: { range } });
      expect([answer.statusCode, answer.body]).toEqual([200, '0123456789']);
    },
  );

  it('A download of a range returns the whole file if its If-Range header names another version of the file', async () => {
    const range = 'bytes=0-3';
    const same = await download('tanaka', storedName, { headers: { range, 'if-range': etag } });
    expect(same.body).toBe('0123');
    const other = await download('tanaka', storedName, { headers: { range, 'if-range': '"other"' } });
    expect(other.body).toBe('0123456789');
  });

  it('A download returns 304 if the browser has the file already and the member can still read it', async () => {
    const headers = { 'if-none-match': etag };
    expect((await download('tanaka', storedName, { headers })).statusCode).toBe(304);
    expect((await download('suzuki', storedName, { headers })).statusCode).toBe(404);
  });

  it('HEAD on the address of a download returns the length of the file and no body', async () => {
    const answer = await download('tanaka', storedName, { method: 'HEAD' });
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([200, '', '10']);
    expect(answer.headers['accept-ranges']).toBe('bytes');
  });
});

it('When a client aborts a download, the server logs no error', async () => {
  const storedName = await upload('tanaka', 'large.bin', Buffer.alloc(maxFileSize));
  const left = new AbortController();
  const headers = { authorization: await product.basicOf('tanaka') };
  const answer = await fetch(`${product.address}/api/storage/temp/${storedName}`, { headers, signal: left.signal });
  left.abort();
  await expect(answer.arrayBuffer()).rejects.toThrow(/abort/);
  await setTimeout(50);
  expect(product.log).toEqual([]);
});
