import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Relative to the data directory. `search.db` is not included: it is rebuilt from chat.db. */
export const databaseFiles = { chat: 'chat/chat.db', product: 'engawa.db' } as const;

export const fileDirectories = ['files', 'avatars', 'stream-pictures', 'emoji'] as const;

/** Matches the generated names of stored files; other files in these directories are never removed. */
export const placePattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

const naming = [
  { folder: 'files', table: 'file', column: 'place' },
  { folder: 'avatars', table: 'avatar', column: 'version' },
  { folder: 'stream-pictures', table: 'stream_picture', column: 'version' },
  { folder: 'emoji', table: 'emoji_picture', column: 'version' },
] as const;

/** Sizes in bytes by path. @param directory of data or of a backup; older versions have fewer tables. */
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
