import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beginEpoch, chatDatabaseVersion } from '@engawa/chat-server';
import { Database } from '@engawa/chat-server/database';
import { oneTimeLinks } from '../accounts/store.ts';
import { DataDirectoryInUseError, lockDataDirectory } from '../storage/dataDirectory.ts';
import { Failure, hasCode, reasonOf } from '../log/failure.ts';
import { hooks } from '../hooks/store.ts';
import { outgoingHooks } from '../hooks/outgoing/store.ts';
import { migrations } from '../database/migrations.ts';
import { sessionRows } from '../sessions/store.ts';
import { databaseFiles, fileDirectories, namedFiles } from '../storage/layout.ts';
import { type Manifest, type Part, readManifest } from './manifest.ts';
import { syncDirectory } from '../storage/storage.ts';
import { isWithin } from './backup.ts';
import { sumOf, copyOrLink } from './copyFile.ts';

/** A directory for the files during a restore. While it exists, the product does not start. */
export const unfinishedName = 'restoring';

const maxReported = 5;

export interface RestoreOptions {
  readonly endSessions: boolean;
}

/** Writes nothing from a damaged backup. Ends all event queues, so that clients register again. */
export async function restoreBackup(backup: string, dataDirectory: string, { endSessions }: RestoreOptions): Promise<Manifest> {
  refuseInside(backup, dataDirectory);
  const manifest = await readManifest(backup);
  refuseNewer(manifest);
  await verify(backup, manifest);
  await prepare(dataDirectory);
  const unfinished = join(dataDirectory, unfinishedName);
  try {
    await mkdir(unfinished, { mode: 0o700 });
    await copyParts(manifest.parts, backup, unfinished);
    await migrateDatabases(unfinished, endSessions);
    for (const name of await readdir(unfinished)) await rename(join(unfinished, name), join(dataDirectory, name));
    await syncDirectory(dataDirectory);
    await rm(unfinished, { recursive: true });
    await syncDirectory(dataDirectory);
  } catch (error) {
    throw new Failure(
      `復元が途中で止まりました。${dataDirectory} を空にしてから、もう一度実行してください。`,
      `The restore was interrupted. Empty ${dataDirectory} and run it again (${reasonOf(error)}).`,
      { cause: error },
    );
  }
  return manifest;
}

export function refuseUnfinishedRestore(dataDirectory: string): void {
  if (!existsSync(join(dataDirectory, unfinishedName))) return;
  throw new Failure(
    `起動できません: DATA_DIR のディレクトリ ${dataDirectory} への復元が途中で止まっています。空にして、もう一度 engawa restore を実行してください。`,
    `Cannot start: a restore into the directory in DATA_DIR, ${dataDirectory}, was interrupted. Empty it and run engawa restore again.`,
  );
}

function refuseInside(backup: string, dataDirectory: string): void {
  if (!isWithin(dataDirectory, backup)) return;
  throw new Failure(
    `復元先 ${dataDirectory} がバックアップの中にあります。別の場所を指定してください。`,
    `The directory to restore into, ${dataDirectory}, is inside the backup. Name another directory.`,
  );
}

function refuseNewer({ databases, engawa }: Manifest): void {
  const known = { [databaseFiles.chat]: chatDatabaseVersion, [databaseFiles.product]: migrations.length };
  if (databases.every(({ path, version }) => version <= known[path])) return;
  throw new Failure(
    `このバックアップは新しい版（${engawa}）のものです。同じ版か、より新しい版の縁側で復元してください。`,
    `This backup was made by a newer version (${engawa}). Restore it with that version or a newer one.`,
  );
}

async function verify(backup: string, { parts, databases, lost }: Manifest): Promise<void> {
  const faults: string[] = [];
  for (const { path, size, sha256 } of parts) {
    const found = await sumOf(join(backup, path)).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    });
    if (found?.size !== size || found.sha256 !== sha256) faults.push(path);
  }
  const there = new Set(parts.map(({ path }) => path));
  for (const { path } of databases) if (!there.has(path)) faults.push(path);
  if (faults.length === 0 && there.has(databaseFiles.product)) {
    for (const path of namedFiles(backup).keys()) if (!there.has(path) && !lost.includes(path)) faults.push(path);
  }
  if (faults.length === 0) return;
  const told = faults.slice(0, maxReported).join(', ') + (faults.length > maxReported ? ', …' : '');
  throw new Failure(
    `バックアップ ${backup} が壊れています。失われたか変わったファイル ${faults.length} 個: ${told}`,
    `The backup ${backup} is damaged. Files that are missing or changed, ${faults.length}: ${told}`,
  );
}

async function prepare(dataDirectory: string): Promise<void> {
  let present: string[];
  try {
    await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
    present = (await readdir(dataDirectory)).filter((name) => name !== 'lost+found');
  } catch (error) {
    throw new Failure(
      `復元先 ${dataDirectory} を使えません。`,
      `The directory to restore into, ${dataDirectory}, cannot be used (${reasonOf(error)}).`,
      { cause: error },
    );
  }
  if (present.length === 0) return;
  if (isInUse(dataDirectory, present)) {
    throw new Failure(
      `復元先 ${dataDirectory} は、動作中の縁側が使っています。止めてから、空のディレクトリに復元してください。`,
      `A running Engawa uses the directory to restore into, ${dataDirectory}. Stop it, and restore into an empty directory.`,
    );
  }
  throw new Failure(
    `復元先 ${dataDirectory} が空ではありません。今のデータを別の場所へ移してから実行してください。`,
    `The directory to restore into, ${dataDirectory}, is not empty. Move its contents elsewhere first.`,
  );
}

function isInUse(dataDirectory: string, present: readonly string[]): boolean {
  if (!present.includes('engawa.lock')) return false;
  try {
    lockDataDirectory(dataDirectory)();
    return false;
  } catch (error) {
    if (error instanceof DataDirectoryInUseError) return true;
    throw error;
  }
}

async function copyParts(parts: readonly Part[], backup: string, target: string): Promise<void> {
  const folders = [...fileDirectories, dirname(databaseFiles.chat)];
  for (const folder of folders) await mkdir(join(target, folder), { mode: 0o700 });
  for (const { path, sha256 } of parts) {
    const copied = await copyOrLink(join(backup, path), join(target, path), 'copy');
    if (copied?.sha256 !== sha256) throw new Error(`${path} changed while it was copied`);
  }
  for (const folder of folders) await syncDirectory(join(target, folder));
}

async function migrateDatabases(directory: string, endSessions: boolean): Promise<void> {
  const chat = join(directory, databaseFiles.chat);
  // With a Zulip server behind the product there is none.
  if (existsSync(chat)) await beginEpoch(dirname(chat), { endKeys: endSessions });
  const database = new Database(join(directory, databaseFiles.product), { migrations });
  try {
    if (!endSessions) return;
    await database.write((tx) => {
      sessionRows.removeOld(tx, Number.MAX_SAFE_INTEGER);
      // The backup may contain a link that was used later; without this it could be used again.
      oneTimeLinks.removeOld(tx, Number.MAX_SAFE_INTEGER);
      hooks.endAllTokens(tx);
      outgoingHooks.endAllSecrets(tx);
    });
  } finally {
    database.close();
  }
}
