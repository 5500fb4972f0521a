import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createChatServer } from '@engawa/chat-server';
import { Database, NewerDatabaseError, versionOfFile } from '@engawa/chat-server/database';
import { expect, it, onTestFinished } from 'vitest';
import ownPackage from '../../package.json' with { type: 'json' };
import { configurationOf } from '../configuration.ts';
import type { Log } from '../log/log.ts';
import { migrations } from '../database/migrations.ts';
import { createProduct } from '../product.ts';
import { rowsOf } from '../testing/contents.ts';
import { productVersion } from './manifest.ts';
import { restoreBackup } from './restore.ts';

/** The version before pictures of streams. */
const olderVersion = 6;
const noon = Date.UTC(2026, 3, 1, 3, 0, 0);
const place = '0f0e0d0c-0b0a-4000-8000-000000000001';

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'engawa-upgrade-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** A data directory of an older version. */
async function olderData(): Promise<string> {
  const directory = folder();
  const chat = createChatServer({ directory: join(directory, 'chat'), realm: { url: 'http://127.0.0.1' } });
  const owner = { email: 'owner@example.com', full_name: '持ち主', timezone: '', avatar_url: null, password: 'x' };
  await chat.import({
    name: '縁側商事',
    description: '',
    users: [{ ...owner, role: 100, date_joined: 1_700_000_000 }],
    streams: [],
    messages: [],
    unread: [],
  });
  await chat.close();
  leaveOlder(directory);
  mkdirSync(join(directory, 'files'));
  writeFileSync(join(directory, 'files', place), 'bytes');
  return directory;
}

function leaveOlder(directory: string): void {
  rmSync(join(directory, 'engawa.db'), { force: true });
  const file = join(directory, 'engawa.db');
  new Database(file, { migrations: migrations.slice(0, olderVersion) }).close();
  // With the columns of that version.
  const connection = new DatabaseSync(file);
  connection.exec("INSERT INTO profile (user_id, location, reading, title) VALUES (1, '京都', 'もちぬし', '')");
  connection.close();
}

/** Starts and closes the product. @returns its log. */
async function run(directory: string, now = noon): Promise<Readonly<Record<string, unknown>>[]> {
  const events: Readonly<Record<string, unknown>>[] = [];
  const log: Log = (event) => void events.push(event);
  const app = await createProduct(configurationOf({ AUTH_MODE: 'password', DATA_DIR: directory }), {
    screens: directory,
    now: () => now,
    log,
  });
  await app.close();
  return events;
}

it('A start that upgrades the data first makes a backup and logs it, and the next start makes none', async () => {
  const directory = await olderData();
  const before = rowsOf(join(directory, 'engawa.db'));
  const events = await run(directory);
  expect(versionOfFile(join(directory, 'engawa.db'))).toBe(migrations.length);

  const backup = join(directory, 'backups', `before-upgrade-${productVersion}-20260401T030000Z`);
  expect(events).toContainEqual({
    level: 'warn',
    event: 'upgrade_backup_made',
    backup,
    databases: [{ path: 'engawa.db', from: olderVersion, to: migrations.length }],
  });
  expect(versionOfFile(join(backup, 'engawa.db'))).toBe(olderVersion);
  expect(rowsOf(join(backup, 'engawa.db'))).toEqual(before);
  expect(statSync(join(directory, 'backups')).mode & 0o777).toBe(0o700);

  expect(await run(directory)).toEqual([]);
  expect(readdirSync(join(directory, 'backups'))).toHaveLength(1);

  const restored = join(folder(), 'data');
  await restoreBackup(backup, restored, { endSessions: false });
  // The restored data is upgraded and keeps its contents.
  const [kept = '', ...others] = rowsOf(join(restored, 'engawa.db'))['profile'] ?? [];
  expect(others).toEqual([]);
  expect(JSON.parse(kept)).toMatchObject({ user_id: 1, location: '京都', reading: 'もちぬし' });
});

it('The server keeps only the three newest backups that it made before upgrades', async () => {
  const directory = await olderData();
  for (let day = 0; day < 4; day += 1) {
    leaveOlder(directory);
    await run(directory, noon + day * 86_400_000);
  }
  expect(readdirSync(join(directory, 'backups')).toSorted()).toEqual(
    ['20260402', '20260403', '20260404'].map((date) => `before-upgrade-${productVersion}-${date}T030000Z`),
  );
});

it('If the backup before an upgrade fails, the server reports it, upgrades nothing and does not start', async () => {
  const directory = await olderData();
  writeFileSync(join(directory, 'backups'), 'a file where the directory should be');
  await expect(run(directory)).rejects.toThrow(/^起動できません: .*バックアップ.* \/ Cannot start: no backup could be made/);
  expect(versionOfFile(join(directory, 'engawa.db'))).toBe(olderVersion);
  // The lock is released, so the product starts once the fault is repaired.
  rmSync(join(directory, 'backups'));
  await run(directory);
  expect(versionOfFile(join(directory, 'engawa.db'))).toBe(migrations.length);
});

it('The server makes no backup at the first start, nor when it refuses data of a newer version', async () => {
  const first = folder();
  await run(first);
  expect(existsSync(join(first, 'backups'))).toBe(false);
  const newer = folder();
  new Database(join(newer, 'engawa.db'), { migrations: [...migrations, 'CREATE TABLE future (id INTEGER)'] }).close();
  await expect(run(newer)).rejects.toThrow(NewerDatabaseError);
  expect(existsSync(join(newer, 'backups'))).toBe(false);
});

it('The reported product version equals the version in package.json', () => {
  expect(productVersion).toBe(ownPackage.version);
});
