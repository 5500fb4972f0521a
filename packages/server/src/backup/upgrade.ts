import { existsSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chatDatabaseVersion } from '@engawa/chat-server';
import { NewerDatabaseError, versionOfFile } from '@engawa/chat-server/database';
import { Failure, reasonOf } from '../log/failure.ts';
import type { Log } from '../log/log.ts';
import { migrations } from '../database/migrations.ts';
import { makeBackup } from './backup.ts';
import { productVersion } from './manifest.ts';
import { databaseFiles } from '../storage/layout.ts';

const upgradeBackups = 'backups';
const beginning = 'before-upgrade-';
const mostKept = 3;

/** Must run before the databases are opened and migrated. @throws Failure if the backup fails. */
export async function backUpBeforeUpgrade(dataDirectory: string, { now, log }: { now: () => number; log: Log }) {
  const versions = [
    { path: databaseFiles.chat, known: chatDatabaseVersion },
    { path: databaseFiles.product, known: migrations.length },
  ].map(({ path, known }) => ({ path, from: versionOfFile(join(dataDirectory, path)), to: known }));
  for (const { path, from, to } of versions) {
    if (from > to) throw new NewerDatabaseError(`${path} has version ${from}, this program knows ${to}`);
  }
  const due = versions.filter(({ from, to }) => from > 0 && from < to);
  if (due.length === 0) return;

  const backup = await makeUpgradeBackup(dataDirectory, now()).catch((error: unknown) => {
    const directory = join(dataDirectory, upgradeBackups);
    throw new Failure(
      `起動できません: データを新しい版にする前のバックアップを ${directory} に作れませんでした。データは変更していません。`,
      `Cannot start: no backup could be made in ${directory} before the upgrade of the data. The data is unchanged (${reasonOf(error)}).`,
      { cause: error },
    );
  });
  log({ level: 'warn', event: 'upgrade_backup_made', backup, databases: due });
}

/** Keeps the newest three of these backups. @returns the directory of the new one. */
export async function makeUpgradeBackup(dataDirectory: string, now: number): Promise<string> {
  const directory = join(dataDirectory, upgradeBackups);
  const backup = join(directory, `${beginning}${productVersion}-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  // Files are hard-linked instead of copied, because an upgrade changes only the databases.
  await makeBackup(dataDirectory, backup, 'link');
  await forgetOld(directory);
  return backup;
}

async function listUpgradeBackups(directory: string): Promise<string[]> {
  if (!existsSync(directory)) return [];
  return (await readdir(directory))
    .filter((name) => name.startsWith(beginning))
    .toSorted((one, other) => (timeIn(one) < timeIn(other) ? -1 : 1));
}

const timeIn = (name: string): string => name.slice(name.lastIndexOf('-'));

async function forgetOld(directory: string): Promise<void> {
  for (const name of (await listUpgradeBackups(directory)).slice(0, -mostKept)) {
    await rm(join(directory, name), { recursive: true });
  }
}
