import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../database/index.ts';
import { migrations } from '../migrations.ts';
import { endEveryKey } from '../accounts/apiKeys.ts';
import { realms } from '../realm/store.ts';

export const chatDatabaseVersion = migrations.length;

/**
 * Call it while the server is stopped, for example after a restore: clients may hold a state that is gone. Their next poll
 * fails with BAD_EVENT_QUEUE_ID, and they register again. It also migrates `chat.db` in the directory.
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
