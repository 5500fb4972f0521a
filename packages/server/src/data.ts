import { join } from 'node:path';
import { Database } from '@engawa/chat-server/database';
import { refuseUnfinishedRestore } from './backup/restore.ts';
import { backUpBeforeUpgrade } from './backup/upgrade.ts';
import { lockDataDirectory } from './storage/dataDirectory.ts';
import { emojiPictures } from './emoji/store.ts';
import type { Log } from './log/log.ts';
import { migrations } from './database/migrations.ts';
import { removeUnknownPictures } from './pictures/pictures.ts';
import { avatars } from './profile/store.ts';
import { type Storage, createStorage } from './storage/storage.ts';
import { streamPictures as streamPictureRows } from './streams/store.ts';

export interface ProductData {
  readonly database: Database;
  readonly files: Storage;
  readonly pictures: Storage;
  readonly streamPictures: Storage;
  readonly emoji: Storage;
  readonly chatDirectory: string;
  close(): void;
}

export interface DataOptions {
  readonly now: () => number;
  readonly log: Log;
}

/**
 * @throws DataDirectoryInUseError before anything is touched; Failure after a cut-off restore, or if the upgrade has no backup.
 */
export async function openData(dataDirectory: string, { now, log }: DataOptions): Promise<ProductData> {
  const unlock = lockDataDirectory(dataDirectory);
  try {
    refuseUnfinishedRestore(dataDirectory);
    await backUpBeforeUpgrade(dataDirectory, { now, log });
  } catch (error) {
    unlock();
    throw error;
  }
  const database = new Database(join(dataDirectory, 'engawa.db'), { migrations, report: log });
  const pictures = createStorage(join(dataDirectory, 'avatars'));
  await removeUnknownPictures({ database, storage: pictures, rows: avatars });
  const streamPictures = createStorage(join(dataDirectory, 'stream-pictures'));
  await removeUnknownPictures({ database, storage: streamPictures, rows: streamPictureRows });
  const emoji = createStorage(join(dataDirectory, 'emoji'));
  await removeUnknownPictures({ database, storage: emoji, rows: emojiPictures });
  return {
    database,
    files: createStorage(join(dataDirectory, 'files')),
    pictures,
    streamPictures,
    emoji,
    chatDirectory: join(dataDirectory, 'chat'),
    close() {
      try {
        database.close();
      } finally {
        unlock();
      }
    },
  };
}
