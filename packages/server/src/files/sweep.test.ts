import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Database } from '@engawa/chat-server/database';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configurationOf } from '../configuration.ts';
import { migrations } from '../migrations.ts';
import { createProduct, listen } from '../product.ts';
import { createStorage, type Storage } from './storage.ts';
import { files } from './store.ts';
import { sweep } from './sweep.ts';

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.now();

let directory: string;
let database: Database;
let storage: Storage;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engawa-sweep-'));
  database = new Database(join(directory, 'engawa.db'), { migrations });
  storage = createStorage(directory);
});
afterEach(() => {
  database.close();
  rmSync(directory, { recursive: true });
});

const keep = async (): Promise<string> => (await storage.receive(Readable.from([Buffer.from('bytes')]))).keep();

async function upload(message_id?: number): Promise<string> {
  const place = await keep();
  const stored_name = `name of ${place}`;
  const created = Math.floor(start / 1000);
  await database.write((tx) => {
    files.insert(tx, { stored_name, place, uploader_id: 1, name: 'a', size: 5, type: 'a', created });
    if (message_id !== undefined) files.insertMessage(tx, { stored_name, message_id });
  });
  return place;
}

const sweepAfter = (passed: number, signal = new AbortController().signal) =>
  sweep({ database, storage, now: () => start + passed }, signal);
const count = (): number => readdirSync(directory).filter((name) => name.length === 36).length;
const has = (place: string): boolean => existsSync(join(directory, place));

describe('a sweep', () => {
  it('takes what no row names once it is a day old', async () => {
    const [forgotten, sent] = [await keep(), await upload(1)];
    await sweepAfter(23 * hour);
    expect(has(forgotten)).toBe(true);
    await sweepAfter(25 * hour);
    expect([has(forgotten), has(sent)]).toEqual([false, true]);
  });

  it('takes what was not sent within seven days, and its row', async () => {
    const [unsent, sent] = [await upload(), await upload(1)];
    await sweepAfter(7 * day - hour);
    expect(has(unsent)).toBe(true);
    await sweepAfter(7 * day + hour);
    expect([has(unsent), has(sent)]).toEqual([false, true]);
    expect(files.find(database.reader, `name of ${unsent}`)).toBeUndefined();
    expect(files.find(database.reader, `name of ${sent}`)).toBeDefined();
  });

  it('leaves alone what it did not make', async () => {
    writeFileSync(join(directory, 'README'), 'x');
    await sweepAfter(100 * day);
    expect(readdirSync(directory)).toEqual(expect.arrayContaining(['README', 'arriving', 'engawa.db']));
  });

  it('comes to its end with many, and stops when it is told to', async () => {
    for (let i = 0; i < 450; i++) writeFileSync(join(directory, randomUUID()), 'x');
    for (let i = 0; i < 210; i++) await upload();
    await sweepAfter(8 * day, AbortSignal.abort());
    expect(count()).toBeGreaterThan(400);
    await sweepAfter(8 * day);
    expect(count()).toBe(0);
  });
});

describe('the product', () => {
  it('sweeps when it listens', async () => {
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
});
