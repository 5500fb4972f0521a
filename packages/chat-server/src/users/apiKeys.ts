import { createHash, randomInt } from 'node:crypto';
import type { Transaction } from '../database/index.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../http/errors.ts';
import { statement } from '../schema.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const apiKeyPattern = /^[A-Za-z0-9]{32}$/;

/** A member's newest keys stay valid; older ones end. */
const keysPerMember = 20;

const insertKey = statement<{ hash: string; user_id: number; created: number }>()((query, value) =>
  query.insertInto('api_key').values({ hash: value.hash, user_id: value.user_id, created: value.created }),
);
const selectOldKeys = statement<{ user_id: number; newest: number }>()((query, value) =>
  query
    .selectFrom('api_key')
    .select('id')
    .where('user_id', '=', value.user_id)
    .where('id', 'not in', (keys) =>
      keys
        .selectFrom('api_key')
        .select('id')
        .where('user_id', '=', value.user_id)
        .orderBy('id', 'desc')
        .limit(value.newest),
    ),
);
const deleteKey = statement<{ id: number }>()((query, value) => query.deleteFrom('api_key').where('id', '=', value.id));

/** Only the hash is kept, so a key can be shown once, when it is made. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Makes a key. Where it is one too many the oldest ends, with the queues that were registered with it. */
export function issueApiKey(tx: Transaction, queues: Queues, userId: number, now: number): string {
  const key = insert(tx, userId, now);
  endAllBut(tx, queues, userId, keysPerMember);
  return key;
}

/** Makes a key, and ends every other with all the user's queues. */
export function replaceApiKeys(tx: Transaction, queues: Queues, userId: number, now: number): string {
  // The new one comes before the others go, so that no id is given out twice.
  const key = insert(tx, userId, now);
  queues.endOfUser(tx, userId, refused.invalidApiKey);
  endAllBut(tx, queues, userId, 1);
  return key;
}

function insert(tx: Transaction, userId: number, now: number): string {
  const key = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  tx.run(insertKey, { hash: hashApiKey(key), user_id: userId, created: now });
  return key;
}

function endAllBut(tx: Transaction, queues: Queues, userId: number, newest: number): void {
  for (const { id } of tx.all(selectOldKeys, { user_id: userId, newest })) {
    queues.endOfKey(tx, id, refused.invalidApiKey);
    tx.run(deleteKey, { id });
  }
}
