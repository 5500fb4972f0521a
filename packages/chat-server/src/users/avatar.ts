import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { users } from '../identity/store.ts';
import { publishPicture } from './events.ts';

/** @param url the picture's address; null removes it. @throws TypeError if there is no such user. */
export async function setAvatar(database: Database, log: EventLog, userId: number, url: string | null): Promise<void> {
  await database.write((tx) => {
    const user = users.byId(tx, userId);
    if (!user) throw new TypeError(`there is no user ${userId}`);
    if (user.avatar_url === url) return;
    users.setAvatar(tx, userId, url);
    publishPicture(tx, log, userId);
  });
}
