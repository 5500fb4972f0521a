import { randomUUID } from 'node:crypto';
import { createReadStream, mkdirSync, rmSync } from 'node:fs';
import { open, opendir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type StorageFault, storageFaultOf } from '@engawa/chat-server/database';
import type { ByteRange } from './range.ts';
import { contentTypeOf, headLength } from './contentType.ts';
import { hasCode } from '../log/failure.ts';
import { placePattern } from './layout.ts';

/** Either `keep` or `discard` must follow. */
export interface ReceivedFile {
  readonly size: number;
  readonly type: string;
  /** All bytes; for small files only. */
  content(): Promise<Uint8Array>;
  keep(): Promise<string>;
  discard(): Promise<void>;
}

export class StorageError extends Error {
  override readonly name = 'StorageError';
  readonly fault: StorageFault;

  constructor(fault: StorageFault, cause: unknown) {
    super('file_not_stored', { cause });
    this.fault = fault;
  }
}

function storageError(error: unknown): unknown {
  const fault = storageFaultOf(error);
  return fault === undefined ? error : new StorageError(fault, error);
}

/** Files are stored under generated names ("places"), so that no name in a request becomes a path. */
export interface Storage {
  /** Leaves nothing behind if the source or the disk fails. */
  receive(source: Readable): Promise<ReceivedFile>;
  read(place: string, range?: ByteRange): Readable;
  remove(place: string): Promise<void>;
  places(): AsyncIterable<readonly string[]>;
  written(place: string): Promise<number | undefined>;
}

const placesPerTurn = 200;

export function createStorage(directory: string): Storage {
  const incoming = join(directory, 'arriving');
  // Removes partly received files of an interrupted process.
  rmSync(incoming, { recursive: true, force: true });
  mkdirSync(incoming, { recursive: true });

  return {
    async receive(source) {
      const place = randomUUID();
      const path = join(incoming, place);
      try {
        const { size, type } = await writeToDisk(source, path);
        return {
          size,
          type,
          content: () => readFile(path),
          async keep() {
            const target = join(directory, place);
            try {
              await rename(path, target);
              await syncDirectory(directory);
              return place;
            } catch (error) {
              await rm(path, { force: true });
              await rm(target, { force: true });
              throw storageError(error);
            }
          },
          discard: () => rm(path, { force: true }),
        };
      } catch (error) {
        await rm(path, { force: true });
        throw storageError(error);
      }
    },
    read: (place, range) => createReadStream(join(directory, place), range ? { start: range.first, end: range.last } : {}),
    remove: (place) => rm(join(directory, place), { force: true }),
    async *places() {
      let places: string[] = [];
      for await (const { name } of await opendir(directory)) {
        if (placePattern.test(name)) places.push(name);
        if (places.length < placesPerTurn) continue;
        yield places;
        places = [];
      }
      yield places;
    },
    async written(place) {
      try {
        return (await stat(join(directory, place))).mtimeMs;
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined;
        throw error;
      }
    },
  };
}

async function writeToDisk(source: Readable, path: string): Promise<{ size: number; type: string }> {
  let size = 0;
  let head = Buffer.alloc(0);
  // The file is created before the first byte is awaited: a failed source must not create it after its removal.
  const file = await open(path, 'wx', 0o600);
  await pipeline(
    source,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (head.length < headLength) head = Buffer.concat([head, chunk.subarray(0, headLength - head.length)]);
        yield chunk;
      }
    },
    // `flush` syncs the bytes to the disk.
    file.createWriteStream({ flush: true }),
  );
  return { size, type: contentTypeOf(head) };
}

/** A rename is on the disk only after its directory is synced. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
