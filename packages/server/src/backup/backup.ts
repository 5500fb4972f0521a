import { existsSync } from 'node:fs';
import { mkdir, opendir, readdir, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { versionOfFile } from '@engawa/chat-server/database';
import { Failure, reasonOf } from '../log/failure.ts';
import { databaseFiles, fileDirectories, namedFiles, placePattern } from '../storage/layout.ts';
import { type Manifest, type Part, productVersion, writeManifest } from './manifest.ts';
import { copyDatabases, rowsByTable } from './snapshot.ts';
import { syncDirectory } from '../storage/storage.ts';
import { type CopyMode, sumOf, copyOrLink } from './copyFile.ts';

/** A copy is repeated if members remove files between copying files and databases. */
const mostAttempts = 5;

/**
 * Members may write meanwhile; the backup is of one moment. @param target is empty or missing. @throws Failure, and leaves
 * nothing.
 */
export async function makeBackup(dataDirectory: string, target: string, mode: CopyMode): Promise<Manifest> {
  const databases = Object.values(databaseFiles).filter((path) => existsSync(join(dataDirectory, path)));
  if (databases.length === 0) {
    throw new Failure(
      `DATA_DIR のディレクトリ ${dataDirectory} には、縁側のデータがありません。`,
      `The directory in DATA_DIR, ${dataDirectory}, contains no data of Engawa.`,
    );
  }
  const isNew = await prepareTarget(target);
  try {
    return await makeParts({ dataDirectory, target, mode, databases });
  } catch (error) {
    await clearTarget(target, isNew);
    if (error instanceof Failure) throw error;
    throw new Failure(
      `バックアップを ${target} に作れませんでした。`,
      `The backup could not be made in ${target} (${reasonOf(error)}).`,
      { cause: error },
    );
  }
}

interface BackupJob {
  readonly dataDirectory: string;
  readonly target: string;
  readonly mode: CopyMode;
  readonly databases: readonly Manifest['databases'][number]['path'][];
}

async function makeParts(job: BackupJob): Promise<Manifest> {
  const { target, databases } = job;
  for (const folder of [...fileDirectories, dirname(databaseFiles.chat)]) await mkdir(join(target, folder), { mode: 0o700 });
  // Most files are copied before the databases, so that few can be removed in between.
  const files = new Map<string, Part>();
  for (const folder of fileDirectories) await copyFolder(job, folder, files);
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const asOf = await copyOwnDatabases(job);
    const named = databases.includes(databaseFiles.product) ? namedFiles(target) : new Map<string, number>();
    const lost = await copyNamed(job, [...named.keys()], files);
    // A lost file without a row was removed by a member meanwhile, so the next attempt does not need it.
    if (lost.some((path) => !namedFiles(job.dataDirectory).has(path))) continue;
    await dropUnnamed(target, files, named);
    return finish(job, files, lost, asOf);
  }
  throw new Failure(
    'バックアップの間にファイルの削除が続いたため、作れませんでした。もう一度実行してください。',
    'Files were removed repeatedly during the backup. Run it again.',
  );
}

async function copyOwnDatabases({ dataDirectory, target, databases }: BackupJob): Promise<number> {
  for (const path of databases) await rm(join(target, path), { force: true });
  return copyDatabases(databases.map((path) => ({ from: join(dataDirectory, path), to: join(target, path) })));
}

async function copyFolder(job: BackupJob, folder: string, files: Map<string, Part>): Promise<void> {
  const source = join(job.dataDirectory, folder);
  if (!existsSync(source)) return;
  for await (const { name } of await opendir(source)) {
    if (placePattern.test(name)) await copyOne(job, `${folder}/${name}`, files);
  }
}

async function copyNamed(job: BackupJob, paths: readonly string[], files: Map<string, Part>): Promise<string[]> {
  const lost: string[] = [];
  for (const path of paths) {
    if (!files.has(path) && !(await copyOne(job, path, files))) lost.push(path);
  }
  return lost;
}

async function copyOne({ dataDirectory, target, mode }: BackupJob, path: string, files: Map<string, Part>) {
  const copied = await copyOrLink(join(dataDirectory, path), join(target, path), mode);
  if (copied) files.set(path, { path, ...copied });
  return copied !== undefined;
}

async function dropUnnamed(target: string, files: Map<string, Part>, named: ReadonlyMap<string, number>): Promise<void> {
  for (const path of files.keys()) {
    if (named.has(path)) continue;
    await rm(join(target, path));
    files.delete(path);
  }
}

async function finish(
  { target, databases }: BackupJob,
  files: ReadonlyMap<string, Part>,
  lost: readonly string[],
  asOf: number,
): Promise<Manifest> {
  const parts: Part[] = [];
  for (const path of databases) parts.push({ path, ...(await sumOf(join(target, path))) });
  for (const folder of fileDirectories) await syncDirectory(join(target, folder));
  await syncDirectory(join(target, dirname(databaseFiles.chat)));
  const manifest = {
    format: 1,
    engawa: productVersion,
    asOf: new Date(asOf).toISOString(),
    finished: new Date().toISOString(),
    databases: databases.map((path) => ({
      path,
      version: versionOfFile(join(target, path)),
      rows: rowsByTable(join(target, path)),
    })),
    parts: [...parts, ...files.values()],
    lost: [...lost],
  } satisfies Manifest;
  await writeManifest(target, manifest);
  return manifest;
}

/** @returns whether it created the directory. */
async function prepareTarget(target: string): Promise<boolean> {
  try {
    const made = await mkdir(target, { recursive: true, mode: 0o700 });
    if ((await readdir(target)).length === 0) return made !== undefined;
  } catch (error) {
    throw new Failure(
      `バックアップ先 ${target} を使えません。`,
      `The directory for the backup, ${target}, cannot be used (${reasonOf(error)}).`,
      { cause: error },
    );
  }
  throw new Failure(
    `バックアップ先 ${target} が空ではありません。新しいディレクトリを指定してください。`,
    `The directory for the backup, ${target}, is not empty. Name a new one.`,
  );
}

async function clearTarget(target: string, isNew: boolean): Promise<void> {
  for (const name of await readdir(target)) await rm(join(target, name), { recursive: true, force: true });
  if (isNew) await rm(target, { recursive: true });
}

export function isWithin(path: string, directory: string): boolean {
  const way = relative(resolve(directory), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith('../'));
}
