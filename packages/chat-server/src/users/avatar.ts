import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { AudienceChange } from '../events/payload.ts';
import { users } from '../identity/store.ts';

/**
 * Says where a user's picture is; null: nowhere. For the program around the chat server, which keeps the pictures.
 * @throws TypeError when there is no such user.
 */
export async function setAvatar(database: Database, log: EventLog, userId: number, avatar_url: string | null): Promise<void> {
  await database.write((tx) => {
    const user = users.byId(tx, userId);
    if (!user) throw new TypeError(`there is no user ${userId}`);
    if (user.avatar_url === avatar_url) return;
    users.setAvatar(tx, userId, avatar_url);
    tellOfPicture(tx, log, userId);
  });
}

/**
 * Tells those who may see it of a user's picture as it is when they hear of it.
 * @param audience where that is what changed: then who gained or lost it is told, and nobody else.
 */
export function tellOfPicture(tx: Transaction, log: EventLog, userId: number, audience?: AudienceChange): void {
  log.append(tx, { type: 'realm_user', reach: 'everyone', payload: { op: 'picture', userId, audience } });
}
