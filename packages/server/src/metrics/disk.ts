import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../log/failure.ts';
import { databaseFiles } from '../storage/layout.ts';

const databases = { engawa: databaseFiles.product, chat: databaseFiles.chat, search: 'chat/search.db' } as const;

export interface Disk {
  /** Bytes by database, with its write-ahead log; a missing one has 0. */
  readonly databases: Readonly<Record<keyof typeof databases, number>>;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

export async function lookAtDisk(dataDirectory: string): Promise<Disk> {
  const sizeOf = async (path: string) => {
    const [file, log] = await Promise.all(['', '-wal'].map((ending) => bytesOf(join(dataDirectory, path + ending))));
    return (file ?? 0) + (log ?? 0);
  };
  const [engawa, chat, search, { bavail, blocks, bsize }] = await Promise.all([
    sizeOf(databases.engawa),
    sizeOf(databases.chat),
    sizeOf(databases.search),
    statfs(dataDirectory),
  ]);
  return { databases: { engawa, chat, search }, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

async function bytesOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
