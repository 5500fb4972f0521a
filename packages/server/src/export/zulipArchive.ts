import { createWriteStream, existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Database } from '@engawa/chat-server/database';
import { type ExportCounts, type ZulipExport, holdsOrganisation, openZulipExport } from '@engawa/chat-server/export';
import { copyDatabases } from '../backup/snapshot.ts';
import { migrations } from '../database/migrations.ts';
import { Failure, reasonOf } from '../log/failure.ts';
import { databaseFiles } from '../storage/layout.ts';
import { syncDirectory } from '../storage/storage.ts';
import { exported } from './store.ts';
import { tarOf } from './tar.ts';
import { type EntryCounts, ZulipEntries } from './zulipEntries.ts';

export interface ZulipArchive {
  /** Milliseconds since 1970. */
  readonly asOf: number;
  readonly chat: ExportCounts;
  readonly entries: Readonly<EntryCounts>;
  readonly departments: number;
  readonly streamPictures: number;
}

/**
 * Writes the organisation to an archive that Zulip's import reads. Members may write meanwhile; the archive is of one moment, except
 * that stored files which they remove may be missing. @param target does not exist. @throws Failure, and leaves nothing
 */
export async function writeZulipArchive(dataDirectory: string, target: string, signal?: AbortSignal): Promise<ZulipArchive> {
  requireOrganisation(dataDirectory);
  requireFree(target);
  const work = await workDirectory(target);
  try {
    return await writeIn(work, dataDirectory, target, signal);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${target} を書けませんでした。`, `${target} could not be written (${reasonOf(error)}).`, { cause: error });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function requireOrganisation(dataDirectory: string): void {
  const isComplete = Object.values(databaseFiles).every((path) => existsSync(join(dataDirectory, path)));
  if (isComplete && holdsOrganisation(join(dataDirectory, databaseFiles.chat))) return;
  throw new Failure(
    `DATA_DIR のディレクトリ ${dataDirectory} には、組織がありません。`,
    `The directory in DATA_DIR, ${dataDirectory}, contains no organisation.`,
  );
}

function requireFree(target: string): void {
  if (!existsSync(target)) return;
  throw new Failure(`${target} はもうあります。新しい名前を指定してください。`, `${target} exists already. Name a new file.`);
}

/** On the disk of the target, so that the finished archive only changes its name. */
async function workDirectory(target: string): Promise<string> {
  try {
    return await mkdtemp(`${target}.partial-`);
  } catch (error) {
    throw new Failure(
      `${dirname(target)} に書き込めません。`,
      `The directory ${dirname(target)} is not writable (${reasonOf(error)}).`,
      { cause: error },
    );
  }
}

async function writeIn(
  work: string,
  dataDirectory: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<ZulipArchive> {
  const copies = { chat: join(work, 'chat.db'), product: join(work, 'engawa.db') };
  // Copies, because a long read of the databases of a running server would let its write-ahead log grow.
  const asOf = await copyDatabases([
    { from: join(dataDirectory, databaseFiles.chat), to: copies.chat },
    { from: join(dataDirectory, databaseFiles.product), to: copies.product },
  ]);
  const chat = openZulipExport(copies.chat);
  const product = new Database(copies.product, { migrations });
  try {
    requireAddresses(chat);
    const entries = new ZulipEntries({ dataDirectory, chat, product });
    const archive = join(work, 'archive');
    await pipeline(
      tarOf(entries.all(), chat.created),
      createGzip(),
      createWriteStream(archive, { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
    requireFree(target);
    await rename(archive, target);
    await syncDirectory(dirname(target));
    const [departments, streamPictures] = [exported.departments(product.reader), exported.streamPictures(product.reader)];
    return {
      asOf,
      chat: chat.counts(),
      entries: entries.counts,
      departments: departments ?? 0,
      streamPictures: streamPictures ?? 0,
    };
  } finally {
    product.close();
    chat.close();
  }
}

const mostNamed = 5;

function requireAddresses(chat: ZulipExport): void {
  const refused = chat.refusedAddresses();
  if (refused.length === 0) return;
  const named = refused.slice(0, mostNamed).join(', ');
  throw new Failure(
    `Zulip の取り込みは、次のメールアドレスで止まります。先に直してください（${refused.length} 件）: ${named}`,
    `Zulip's import stops at these email addresses. Change them first (${refused.length}): ${named}`,
  );
}
