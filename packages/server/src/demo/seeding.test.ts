import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createChatServer } from '@engawa/chat-server';
import { Database } from '@engawa/chat-server/database';
import { getOwnUser, getSubscriptions, getUserGroups } from '@engawa/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { configurationOf } from '../configuration.ts';
import { departments } from '../departments/store.ts';
import { createStorage } from '../storage/storage.ts';
import { logAbove } from '../log/log.ts';
import { migrations } from '../database/migrations.ts';
import { createProduct } from '../product.ts';
import { runProductForFile } from '../testing/product.ts';
import { documentOf } from './documents/documents.ts';
import { seed } from './seeding.ts';

const product = await runProductForFile();

describe('demo organisation', () => {
  it('[R1.5] The first start creates the demo organisation with its owner and its default member', async () => {
    const owner = await product.call('takahashi.koichi', getOwnUser, {});
    expect(owner).toMatchObject({ is_owner: true, full_name: '髙橋 浩一' });
    expect(await product.call('tanaka', getOwnUser, {})).toMatchObject({
      is_admin: false,
      avatar_url: expect.stringContaining('/avatars/avatar-1.svg'),
    });
  });

  it('[R6.1] A demo member is in private streams with shared history, but not in the streams of other departments', async () => {
    const { subscriptions } = await product.call('tanaka', getSubscriptions, {});
    expect(subscriptions.every((each) => each.invite_only && each.history_public_to_subscribers)).toBe(true);
    expect(subscriptions.map(({ name }) => name)).toContain('プロダクト開発部');
    expect(subscriptions.map(({ name }) => name)).not.toContain('東日本営業部');
  });

  it('The departments of a new demo organisation are user groups of the chat API before any change', async () => {
    const { user_groups } = await product.call('tanaka', getUserGroups, {});
    const { user_id } = await product.call('tanaka', getOwnUser, {});
    expect(user_groups.filter(({ department_code }) => department_code !== undefined)).toHaveLength(20);
    expect(user_groups.find(({ name }) => name === 'プロダクト開発部')?.members).toContain(user_id);
  });
});

describe('seeding', () => {
  const directories: string[] = [];
  afterEach(() => {
    for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
  });

  it.each([
    ['before the chat server’s part', 0],
    ['after the chat server’s part', 1],
  ])('The next start creates the demo organisation again if its creation was interrupted %s', async (_, writes) => {
    const dataDirectory = mkdtempSync(join(tmpdir(), 'engawa-'));
    directories.push(dataDirectory);
    await seedUntil(dataDirectory, writes);

    const configuration = configurationOf({ DATA_DIR: dataDirectory });
    for (let start = 0; start < 2; start++) {
      const app = await createProduct(configuration, { screens: dataDirectory, log: logAbove('warn', expectNothing) });
      const { candidates } = (await app.inject({ url: '/api/session', headers: { host: 'localhost' } })).json();
      expect(candidates).toHaveLength(45);
      await app.close();
    }
    const database = new Database(join(dataDirectory, 'engawa.db'), { migrations });
    expect(departments.all(database.reader)).toHaveLength(20);
    database.close();
  });
});

const expectNothing = (event: unknown) => expect(event).toBeUndefined();

/** Seeds like a process that dies after this many writes to the product's database. */
async function seedUntil(dataDirectory: string, writes: number): Promise<void> {
  const database = new Database(join(dataDirectory, 'engawa.db'), { migrations });
  const chat = createChatServer({ directory: join(dataDirectory, 'chat'), realm: { url: 'http://localhost' } });
  const storage = createStorage(join(dataDirectory, 'files'));
  const dies = new Error('killed');
  const cut = {
    ...chat,
    import: async (...[organisation]: Parameters<typeof chat.import>) => {
      if (writes > 0) await chat.import(organisation);
      throw dies;
    },
  };
  await expect(seed({ chat: cut, database, storage, now: Date.now() })).rejects.toBe(dies);
  expect(chat.isEmpty()).toBe(writes === 0);
  await chat.close();
  database.close();
}

describe('demo document', () => {
  it.each([
    ['リリース手順書_v2.4.xlsx', 'PK\x03\x04'],
    ['ねこ_在宅勤務中.png', '\x89PNG'],
    ['切り替え時間の比較.png', '\x89PNG'],
    ['試験報告書_RC2.pdf', '%PDF-1.4'],
    ['インタビュー記録_5名.txt', 'ã'],
  ] as const)('A demo document begins as its extension says: %s', (name, beginning) => {
    expect(documentOf(name).toString('latin1')).toMatch(new RegExp(`^${beginning}`));
  });

  it('A demo document is stored on the disk under a generated name', () => {
    const names = readdirSync(join(product.dataDirectory, 'files'));
    for (const name of names) expect(name).toMatch(/^(arriving|[\da-f-]{36})$/);
  });
});
