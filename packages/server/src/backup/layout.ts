import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The databases of a data directory, from the directory. `search.db` is none of them: it is made again from chat.db. */
export const databaseFiles = { chat: 'chat/chat.db', product: 'engawa.db' } as const;

/** The directories whose files never change once they are there, and are named by rows of engawa.db. */
export const fileDirectories = ['files', 'avatars', 'stream-pictures'] as const;

/** A name that the product made; see `files/storage.ts`. */
export const placePattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Which rows name the files of a directory. */
const naming = [
  { folder: 'files', table: 'file', column: 'place' },
  { folder: 'avatars', table: 'avatar', column: 'version' },
  { folder: 'stream-pictures', table: 'stream_picture', column: 'version' },
] as const;

/**
 * The files that engawa.db names, with their bytes. It may be of an older version, which knew fewer kinds.
 * @param directory a data directory, or a backup.
 * @returns by their path from the directory.
 */
export function namedFiles(directory: string): Map<string, number> {
  const database = new DatabaseSync(join(directory, databaseFiles.product), { readOnly: true, timeout: 5000 });
  try {
    const isTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
    const named = new Map<string, number>();
    for (const { folder, table, column } of naming.filter((each) => isTable.get(each.table))) {
      for (const row of database.prepare(`SELECT ${column} AS place, size FROM ${table}`).iterate()) {
        named.set(`${folder}/${String(row['place'])}`, Number(row['size']));
      }
    }
    return named;
  } finally {
    database.close();
  }
}
