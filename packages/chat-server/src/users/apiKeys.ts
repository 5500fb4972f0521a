import { createHash, randomInt } from 'node:crypto';
import type { Transaction } from '../database/index.ts';
import { statement } from '../schema.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const apiKeyPattern = /^[A-Za-z0-9]{32}$/;

/** A member's newest keys stay valid; older ones end. */
const keysPerMember = 20;

const insertKey = statement<{ hash: string; user_id: number; created: number }>()((query, value) =>
  query.insertInto('api_key').values({ hash: value.hash, user_id: value.user_id, created: value.created }),
);
const dropOldKeys = statement<{ user_id: number }>()((query, value) =>
  query.deleteFrom('api_key').where('user_id', '=', value.user_id).where('id', 'not in', (keys) =>
    keys.selectFrom('api_key').select('id').where('user_id', '=', value.user_id).orderBy('id', 'desc').limit(keysPerMember),
  ),
);

/** Only the hash is kept, so a key can be shown once, when it is made. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function issueApiKey(tx: Transaction, userId: number, now: number): string {
  const key = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  tx.run(insertKey, { hash: hashApiKey(key), user_id: userId, created: now });
  tx.run(dropOldKeys, { user_id: userId });
  return key;
}
