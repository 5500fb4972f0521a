import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { type ChatServer, createChatServer } from '@engawa/chat-server';
import { Database } from '@engawa/chat-server/database';
import {
  composeFileMessage,
  createScheduledMessage,
  deleteScheduledMessage,
  getOwnUser,
  sendMessage,
  uploadLink,
} from '@engawa/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configurationOf } from '../configuration.ts';
import { migrations } from '../database/migrations.ts';
import { listen } from '../app.ts';
import { createProduct } from '../product.ts';
import { type RunningProduct, runProduct } from '../testing/product.ts';
import { createStorage, type Storage } from '../storage/storage.ts';
import { files } from './store.ts';
import { sweep } from './sweep.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.now();

let directory: string;
let database: Database;
let storage: Storage;
let chat: ChatServer;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engawa-sweep-'));
  database = new Database(join(directory, 'engawa.db'), { migrations });
  storage = createStorage(directory);
  chat = createChatServer({ directory: join(directory, 'chat'), realm: { url: 'http://localhost' } });
});
afterEach(async () => {
  await chat.close();
  database.close();
  rmSync(directory, { recursive: true });
});

const keep = async (): Promise<string> => (await storage.receive(Readable.from([Buffer.from('bytes')]))).keep();

async function upload({ isSent = false } = {}): Promise<string> {
  const place = await keep();
  const stored_name = `name of ${place}`;
  const created = Math.floor(start / 1000);
  await database.write((tx) => {
    files.insert(tx, { stored_name, place, uploader_id: 1, name: 'a', size: 5, type: 'a', created });
    if (isSent) files.markSent(tx, stored_name);
  });
  return place;
}

const sweepAfter = (passed: number, signal = new AbortController().signal) =>
  sweep({ database, storage, sentFiles: chat, now: () => start + passed }, signal);
const count = (): number => readdirSync(directory).filter((name) => name.length === 36).length;
const has = (place: string): boolean => existsSync(join(directory, place));

describe('sweep', () => {
  it('The sweep removes a file without a database row after a day', async () => {
    const [forgotten, sent] = [await keep(), await upload({ isSent: true })];
    await sweepAfter(23 * hour);
    expect(has(forgotten)).toBe(true);
    await sweepAfter(25 * hour);
    expect([has(forgotten), has(sent)]).toEqual([false, true]);
  });

  it('The sweep removes an unsent file and its database row after seven days', async () => {
    const [unsent, sent] = [await upload(), await upload({ isSent: true })];
    await sweepAfter(7 * day - hour);
    expect(has(unsent)).toBe(true);
    await sweepAfter(7 * day + hour);
    expect([has(unsent), has(sent)]).toEqual([false, true]);
    expect(files.find(database.reader, `name of ${unsent}`)).toBeUndefined();
    expect(files.find(database.reader, `name of ${sent}`)).toBeDefined();
  });

  it('The sweep removes nothing while the chat server cannot say whether a file was sent', async () => {
    const unsent = await upload();
    await chat.close();
    await expect(sweepAfter(8 * day)).rejects.toThrow('the database is closed');
    expect(has(unsent)).toBe(true);
    expect(files.find(database.reader, `name of ${unsent}`)).toBeDefined();
  });

  it('The sweep keeps files whose names the server did not generate', async () => {
    writeFileSync(join(directory, 'README'), 'x');
    await sweepAfter(100 * day);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['README', 'arriving', 'engawa.db']));
  });

  it('The sweep removes hundreds of files, and can be aborted in between', async () => {
    for (let i = 0; i < 450; i++) writeFileSync(join(directory, randomUUID()), 'x');
    for (let i = 0; i < 210; i++) await upload();
    await sweepAfter(8 * day, AbortSignal.abort());
    expect(count()).toBeGreaterThan(400);
    await sweepAfter(8 * day);
    expect(count()).toBe(0);
  });
});

describe('product', () => {
  it('The product runs the sweep of old files when it starts to listen', async () => {
    const configuration = { ...configurationOf({ DATA_DIR: join(directory) }), port: 0 };
    const forgotten = join(directory, 'files', randomUUID());
    createStorage(join(directory, 'files'));
    writeFileSync(forgotten, 'x');
    utimesSync(forgotten, start / 1000 - 90_000, start / 1000 - 90_000);
    const app = await createProduct(configuration, { screens: directory });
    expect(existsSync(forgotten)).toBe(true);
    await listen(app, configuration);
    await expect.poll(() => existsSync(forgotten)).toBe(false);
    await app.close();
  });

  it('The sweep keeps a file that a message contains, even if the server did not mark the file as sent', async () => {
    const before = await runProduct();
    before.pass(-8 * day);
    const [sent, unsent] = ['a'.repeat(20), 'b'.repeat(20)];
    for (const storedName of [sent, unsent]) await uploadTo(before, storedName);
    await sendUnnoticed(before, composeFileMessage({ name: '見積,改2.txt', storedName: sent, size: 5 }));
    await before.app.close();

    const after = await runProduct({}, before.dataDirectory);
    await expect.poll(() => download(after, 'tanaka', unsent)).toMatchObject({ statusCode: 404 });
    expect(await download(after, 'suzuki', sent)).toMatchObject({ statusCode: 200, body: 'bytes' });
    expect(await download(after, 'nakajima', sent)).toMatchObject({ statusCode: 404 });
    expect(after.log).toEqual([]);
    await after.close();
  });

  it('The sweep keeps a file that a scheduled message of its uploader names, until the message is cancelled', async () => {
    const before = await runProduct();
    before.pass(-8 * day);
    const [planned, linked, ofOther, unplanned] = ['c'.repeat(20), 'd'.repeat(20), 'e'.repeat(20), 'f'.repeat(20)];
    for (const storedName of [planned, linked, ofOther, unplanned]) await uploadTo(before, storedName);
    const id = await schedule(before, 'tanaka', composeFileMessage({ name: '見積,改2.txt', storedName: planned, size: 5 }));
    await schedule(before, 'tanaka', `[見積](${uploadLink(linked, 'a.txt')})`);
    await schedule(before, 'suzuki', `[見積](${uploadLink(ofOther, 'a.txt')})`);
    await before.app.close();

    const after = await runProduct({}, before.dataDirectory);
    await expect.poll(() => download(after, 'tanaka', unplanned)).toMatchObject({ statusCode: 404 });
    expect(await download(after, 'tanaka', ofOther)).toMatchObject({ statusCode: 404 });
    expect(await download(after, 'tanaka', planned)).toMatchObject({ statusCode: 200, body: 'bytes' });
    expect(await download(after, 'tanaka', linked)).toMatchObject({ statusCode: 200, body: 'bytes' });
    await after.call('tanaka', deleteScheduledMessage, { scheduled_message_id: id });
    await after.app.close();

    const last = await runProduct({}, before.dataDirectory);
    await expect.poll(() => download(last, 'tanaka', planned)).toMatchObject({ statusCode: 404 });
    expect(await download(last, 'tanaka', linked)).toMatchObject({ statusCode: 200, body: 'bytes' });
    await last.close();
  });

  it('The sweep removes a forgotten file that is newer than hundreds of files in scheduled messages', async () => {
    const before = await runProduct();
    const { user_id: uploader_id } = await before.call('tanaka', getOwnUser, {});
    const names = Array.from({ length: 210 }, (_, index) => String(index).padStart(20, 'g'));
    const forgotten = 'h'.repeat(20);
    const direct = new Database(join(before.dataDirectory, 'engawa.db'), { migrations });
    const created = Math.floor((start - 9 * day) / 1000);
    await direct.write((tx) => {
      const row = { uploader_id, name: 'a', size: 5, type: 'a' };
      for (const name of names) files.insert(tx, { ...row, stored_name: name, place: name, created });
      files.insert(tx, { ...row, stored_name: forgotten, place: forgotten, created: created + 1 });
    });
    await schedule(before, 'tanaka', names.join('\n'));
    await before.app.close();

    const after = await runProduct({}, before.dataDirectory);
    const has = (name: string) => files.find(direct.reader, name) !== undefined;
    await expect.poll(() => has(forgotten)).toBe(false);
    expect(names.filter((name) => !has(name))).toEqual([]);
    direct.close();
    await after.close();
  });
});

async function schedule({ call }: RunningProduct, by: string, content: string): Promise<number> {
  const { user_id } = await call(by, getOwnUser, {});
  const scheduled_delivery_timestamp = Math.floor((start + hour) / 1000);
  const message = { type: 'direct' as const, to: [user_id], content, scheduled_delivery_timestamp };
  return (await call(by, createScheduledMessage, message)).scheduled_message_id;
}

async function uploadTo({ address, basicOf }: RunningProduct, storedName: string): Promise<void> {
  const form = new FormData();
  form.append('file', new File(['bytes'], '見積,改2.txt'));
  form.append('dstFileName', storedName);
  const headers = { authorization: await basicOf('tanaka') };
  expect((await fetch(`${address}/api/api/upload/file`, { method: 'POST', headers, body: form })).status).toBe(200);
}

/** Sends while the product's database refuses to note the send. */
async function sendUnnoticed({ call, dataDirectory, log }: RunningProduct, content: string): Promise<void> {
  const beside = new DatabaseSync(join(dataDirectory, 'engawa.db'));
  beside.exec("CREATE TRIGGER refused BEFORE UPDATE OF sent ON file BEGIN SELECT RAISE(ABORT, 'refused'); END");
  await call('tanaka', sendMessage, { type: 'stream', to: 'プロダクト開発部', topic: 'stream events', content });
  expect(log).toMatchObject([{ event: 'sent_file_not_noted' }]);
  beside.exec('DROP TRIGGER refused');
  beside.close();
}

async function download({ app, basicOf }: RunningProduct, name: string, storedName: string) {
  const headers = { host: 'localhost', authorization: await basicOf(name) };
  return app.inject({ url: `/api/storage/temp/${storedName}`, headers });
}
