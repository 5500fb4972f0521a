import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Database } from '../database/index.ts';
import { migrations } from '../migrations.ts';
import { endEveryKey } from '../accounts/apiKeys.ts';
import { realms } from '../realm/store.ts';

/** How many steps of migration `chat.db` has behind it with this program. */
export const chatDatabaseVersion = migrations.length;

/**
 * Says of a chat server that lies still that its past is another from now on, as after a restore: what clients know of
 * it may never have been. Each is told BAD_EVENT_QUEUE_ID at its next poll, and registers again. Brings it up to date.
 * @param directory where `chat.db` lies.
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
