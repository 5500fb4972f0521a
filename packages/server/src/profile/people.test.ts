import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '@engawa/chat-server/database';
import { getUsers, roles } from '@engawa/protocol';
import { directoryPage } from '@engawa/protocol/product';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { people } from '../demo/people.ts';
import { configurationOf } from '../configuration.ts';
import { migrations } from '../database/migrations.ts';
import { createProduct } from '../product.ts';
import { fromOwnPage, runProduct, runProductForFile } from '../testing/product.ts';
import { peopleRoutes } from './people.ts';
import { profiles } from './store.ts';

const product = await runProductForFile();
const url = '/api/people';
const host = 'localhost';

async function directory(name: string, { app } = product) {
  const answer = await app.inject({ url, headers: { host, cookie: await product.cookieOf(name) } });
  return directoryPage.parse(answer.json());
}

it('[I6.3] GET /api/people returns reading, title and departments of every member, the main department first', async () => {
  const { members } = await product.call('tanaka', getUsers, {});
  const page = await directory('tanaka');
  expect(page.next).toBeNull();
  const byEmail = new Map(members.map(({ email, user_id }) => [email, user_id]));
  for (const { email, reading, title, departments } of people) {
    expect(page.people).toContainEqual({ user_id: byEmail.get(email), reading, title, departments });
  }
});

it('[R6.2] GET /api/people is refused to callers without a session', async () => {
  const answer = await product.app.inject({ url, headers: { host } });
  expect([answer.statusCode, answer.json()]).toMatchObject([401, { code: 'UNAUTHORIZED' }]);
});

it('When a member sets their location, GET /api/people still returns their reading, and not the location', async () => {
  const cookie = await product.cookieOf('suzuki');
  const boundary = 'x';
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const form = { name: '鈴木 健太', email: 'suzuki@engawa.example', location: '福岡オフィス', avatar: 'keep' };
  const saved = await product.app.inject({
    method: 'POST',
    url: '/api/profile',
    headers: { host, cookie, ...fromOwnPage, 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: `${Object.entries(form)
      .map(([name, value]) => field(name, value))
      .join('')}--${boundary}--\r\n`,
  });
  expect(saved.statusCode).toBe(200);
  const { people: now } = await directory('tanaka');
  expect(now).toContainEqual(expect.objectContaining({ reading: 'すずき けんた', title: 'エンジニア' }));
  expect(JSON.stringify(now)).not.toContain('福岡');
});

it('GET /api/people returns pages, and each page except the last says where the next one begins', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-'));
  const database = new Database(join(folder, 'engawa.db'), { migrations });
  const app = Fastify();
  onTestFinished(async () => {
    await app.close();
    database.close();
    rmSync(folder, { recursive: true });
  });
  await database.write((tx) => {
    for (const user_id of [5, 7, 12]) profiles.put(tx, { user_id, location: '', reading: `よみ${user_id}`, title: '' });
  });
  const somebody = {
    id: 5,
    email: '',
    fullName: '',
    role: roles.member,
    timezone: '',
    avatarUrl: null,
    authorization: '',
    isBot: false,
  };
  const letIn = async () => somebody;
  peopleRoutes(app, { database, chat: { sightOf: async () => undefined }, gate: { member: letIn } }, 2);
  const page = async (after: string) => directoryPage.parse((await app.inject({ url: `${url}${after}` })).json());
  const first = await page('');
  expect([first.people.map(({ user_id }) => user_id), first.next]).toEqual([[5, 7], 7]);
  const second = await page('?after=7');
  expect([second.people.map(({ user_id }) => user_id), second.next]).toEqual([[12], null]);
  expect((await page('?after=x')).next).toBe(7);
});

it('When the server starts on a demo of an older version, it adds the missing readings and titles', async () => {
  const before = await runProduct();
  onTestFinished(() => rmSync(before.dataDirectory, { recursive: true }));
  await before.app.close();
  const database = new Database(join(before.dataDirectory, 'engawa.db'), { migrations });
  const rows = profiles.after(database.reader, 0, 100);
  await database.write((tx) => rows.forEach((row) => profiles.put(tx, { ...row, reading: '', title: '', location: '京都' })));
  database.close();

  const app = await createProduct(configurationOf({ DATA_DIR: before.dataDirectory }), { screens: before.dataDirectory });
  await app.close();
  const after = new Database(join(before.dataDirectory, 'engawa.db'), { migrations });
  const found = profiles.after(after.reader, 0, 100);
  after.close();
  expect(found.map(({ reading, title, location }) => [reading, title, location])).toEqual(
    people.map(({ reading, title }) => [reading, title, '京都']),
  );
});
