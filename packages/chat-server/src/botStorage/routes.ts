import { botStorageLimits, deleteBotStorage, getBotStorage, updateBotStorage } from '@engawa/protocol';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { botStorage } from './store.ts';

/** Each caller, a bot or a person, has its own storage. */
export function botStorageRoutes(database: Database): Route[] {
  return [
    memberRoute(getBotStorage, ({ keys }, { member }) =>
      database.snapshot((reader) => {
        const entries = keys ? entriesOf(reader, member.id, keys) : botStorage.all(reader, member.id);
        return { storage: Object.fromEntries(entries.map(({ key, value }) => [key, value])) };
      }),
    ),

    memberRoute(updateBotStorage, ({ storage }, { member }) =>
      database.write((tx) => {
        const { id: user_id } = memberNow(tx, member);
        for (const [key, value] of Object.entries(storage)) {
          botStorage.set(tx, { user_id, key: key.toWellFormed(), value: value.toWellFormed() });
        }
        const { count = 0, bytes } = botStorage.size(tx, user_id) ?? {};
        if (count > botStorageLimits.keys || (bytes ?? 0) > botStorageLimits.bytes) {
          throw refused.because(`The storage would exceed ${botStorageLimits.keys} keys or ${botStorageLimits.bytes} bytes.`);
        }
      }),
    ),

    memberRoute(deleteBotStorage, ({ keys }, { member }) =>
      database.write((tx) => {
        const { id } = memberNow(tx, member);
        if (!keys) botStorage.deleteAll(tx, id);
        else {
          entriesOf(tx, id, keys);
          botStorage.delete(tx, id, keys);
        }
      }),
    ),
  ];
}

/** @throws ChatError if one of the keys does not exist. */
function entriesOf(reader: Reader, userId: number, keys: readonly string[]) {
  const entries = botStorage.some(reader, userId, keys);
  if (entries.length < new Set(keys).size) throw refused.because('Key does not exist.');
  return entries;
}
