import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../database/index.ts';
import { migrations } from '../migrations.ts';
import { endEveryKey } from '../accounts/apiKeys.ts';
import { realms } from '../realm/store.ts';

/** The number of migrations of `chat.db` in this program. */
export const chatDatabaseVersion = migrations.length;

/**
 * Begins a new epoch of a stopped chat server, for example after a restore, because clients may hold a state that no
 * longer exists. Their next poll fails with BAD_EVENT_QUEUE_ID, and they register again. It also migrates the database.
 * @param directory the directory of `chat.db`.
 */
export async function beginEpoch(directory: string, { endKeys }: { readonly endKeys: boolean }): Promise<void> {
  const database = new Database(join(directory, 'chat.db'), { migrations });
  try {
    await database.write((tx) => {
      realms.beginEpoch(tx, randomUUID());
      if (endKeys) endEveryKey(tx);
    });
  } finally {
    database.close();
  }
}
