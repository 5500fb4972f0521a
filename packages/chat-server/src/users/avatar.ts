import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { users } from './store.ts';
import { tellOfUser } from './update.ts';

/**
 * Says where a user's picture is; null: nowhere. For the program around the chat server, which keeps the pictures.
 * @throws TypeError when there is no such user.
 */
export async function setAvatar(
  database: Database,
  log: EventLog,
  userId: number,
  avatar_url: string | null,
): Promise<void> {
  await database.write((tx) => {
    const user = users.byId(tx, userId);
    if (!user) throw new TypeError(`there is no user ${userId}`);
    if (user.avatar_url === avatar_url) return;
    const avatar_version = users.setAvatar(tx, userId, avatar_url);
    const avatar_source = avatar_url === null ? 'G' : 'U';
    tellOfUser(tx, log, userId, { avatar_url, avatar_url_medium: avatar_url, avatar_source, avatar_version });
  });
}
