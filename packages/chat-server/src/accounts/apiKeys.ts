import { hash, randomInt } from 'node:crypto';
import type { Transaction, Columns, Value } from '../database/index.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { bots } from '../identity/bots.ts';
import { type ApiKeyKind, type Row, columns, queries } from '../schema.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const apiKeyPattern = /^[A-Za-z0-9]{32}$/;

/** A new key beyond this number revokes the oldest. Fewer sessions are stored, so `browser` limits only keys without one. */
const keysPerMember: Readonly<Record<ApiKeyKind, number>> = { program: 20, browser: 120 };

type KeyRow = Row<'api_key'>;
type NewKey = Pick<KeyRow, 'user_id' | 'kind' | 'created'>;

const nextId = queries.value((query) =>
  query
    .updateTable('counter')
    .set((build) => ({ value: build('value', '+', 1) }))
    .where('name', '=', 'api_key')
    .returning('value'),
);
const insertKey = queries.run((query, row: Columns<NewKey & Pick<KeyRow, 'id' | 'hash'>>) =>
  query.insertInto('api_key').values(columns(row, ['id', 'hash', 'user_id', 'kind', 'created'])),
);

const deleteEveryKey = queries.run((query) => query.deleteFrom('api_key'));
const deleteKey = queries.run((query, id: Value<number>) => query.deleteFrom('api_key').where('id', '=', id));

export const apiKeys = {
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('api_key').selectAll().where('user_id', '=', userId).orderBy('id', 'desc'),
  ),
  byHash: queries.row((query, hash: Value<string>) => query.selectFrom('api_key').selectAll().where('hash', '=', hash)),
  noteUse: queries.run((query, id: Value<number>, time: Value<number>) =>
    query.updateTable('api_key').set({ last_used: time }).where('id', '=', id),
  ),
};

/** Callers must delete the queues of the keys first, because `queue` refers to `api_key`. */
export function endEveryKey(tx: Transaction): void {
  deleteEveryKey(tx);
  bots.forgetKeys(tx);
}

/** Only the hash is stored, so a key is shown only once, when it is issued. A bot's key is also in `bot`, for its owner. */
export function hashApiKey(key: string): string {
  return hash('sha256', key);
}

export function issueApiKey(tx: Transaction, queues: Queues, newKey: NewKey): string {
  const key = insert(tx, newKey);
  const ofItsKind = apiKeys.of(tx, newKey.user_id).filter(({ kind }) => kind === newKey.kind);
  endApiKeys(tx, queues, ofItsKind.slice(keysPerMember[newKey.kind]));
  return key;
}

/** Replaces all program keys of the user by a new one. Browser sessions stay signed in. */
export function replaceApiKeys(tx: Transaction, queues: Queues, userId: number, now: number): string {
  const ended = apiKeys.of(tx, userId).filter(({ kind }) => kind === 'program');
  endApiKeys(tx, queues, ended);
  return insert(tx, { user_id: userId, kind: 'program', created: now });
}

export function endAllApiKeys(tx: Transaction, queues: Queues, userId: number): void {
  endApiKeys(tx, queues, apiKeys.of(tx, userId));
}

/** Also ends the queues of the keys and refuses their waiting polls. */
export function endApiKeys(tx: Transaction, queues: Queues, keys: readonly Pick<KeyRow, 'id'>[]): void {
  for (const { id } of keys) {
    queues.endOfKey(tx, id, refused.invalidApiKey);
    deleteKey(tx, id);
  }
}

function insert(tx: Transaction, newKey: NewKey): string {
  const key = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const id = nextId(tx);
  if (id === undefined) throw new Error('the counter of keys is missing');
  insertKey(tx, { ...newKey, id, hash: hashApiKey(key) });
  return key;
}
