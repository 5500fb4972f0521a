import { createHash, randomInt } from 'node:crypto';
import type { Transaction, Columns, Value } from '../database/index.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { type ApiKeyKind, type Row, queries } from '../schema.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const apiKeyPattern = /^[A-Za-z0-9]{32}$/;

/**
 * A member's newest keys of each kind stay valid; older ones end. Browsers' sessions end with their keys, and whoever
 * keeps the sessions bounds them below this, so that it is for what was cut off between a key and its session.
 */
const keysPerMember: Readonly<Record<ApiKeyKind, number>> = { program: 20, browser: 120 };

type KeyRow = Row<'api_key'>;
type NewKey = Pick<KeyRow, 'user_id' | 'kind' | 'created'>;

const nextId = queries.row((query) =>
  query
    .updateTable('counter')
    .set((build) => ({ value: build('value', '+', 1) }))
    .where('name', '=', 'api_key')
    .returning('value'),
);
const insertKey = queries.run((query, row: Columns<NewKey & Pick<KeyRow, 'id' | 'hash'>>) =>
  query.insertInto('api_key').values({
    id: row.id,
    hash: row.hash,
    user_id: row.user_id,
    kind: row.kind,
    created: row.created,
  }),
);

const deleteKey = queries.run((query, id: Value<number>) => query.deleteFrom('api_key').where('id', '=', id));

export const apiKeys = {
  /** The newest first. */
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('api_key').selectAll().where('user_id', '=', userId).orderBy('id', 'desc'),
  ),
  byHash: queries.row((query, hash: Value<string>) => query.selectFrom('api_key').selectAll().where('hash', '=', hash)),
  noteUse: queries.run((query, id: Value<number>, time: Value<number>) =>
    query.updateTable('api_key').set({ last_used: time }).where('id', '=', id),
  ),
};

const deleteKeys = queries.run((query) => query.deleteFrom('api_key'));

/** Only the hash is kept, so a key can be shown once, when it is made. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Makes a key. Where it is one too many of its kind the oldest ends, with the queues that were registered with it. */
export function issueApiKey(tx: Transaction, queues: Queues, made: NewKey): string {
  const key = insert(tx, made);
  const ofItsKind = apiKeys.of(tx, made.user_id).filter(({ kind }) => kind === made.kind);
  endApiKeys(tx, queues, ofItsKind.slice(keysPerMember[made.kind]));
  return key;
}

/** Makes a key for a program, and ends every other of the user's programs. Browsers stay signed in. */
export function replaceApiKeys(tx: Transaction, queues: Queues, userId: number, now: number): string {
  endApiKeys(
    tx,
    queues,
    apiKeys.of(tx, userId).filter(({ kind }) => kind === 'program'),
  );
  return insert(tx, { user_id: userId, kind: 'program', created: now });
}

/** Ends every key of a user's, with all their queues: browsers are signed out, and programs. */
export function endAllApiKeys(tx: Transaction, queues: Queues, userId: number): void {
  endApiKeys(tx, queues, apiKeys.of(tx, userId));
}

/** Ends keys, with the queues that were registered with them. Polls that wait are refused. */
export function endApiKeys(tx: Transaction, queues: Queues, keys: readonly Pick<KeyRow, 'id'>[]): void {
  for (const { id } of keys) {
    queues.endOfKey(tx, id, refused.invalidApiKey);
    deleteKey(tx, id);
  }
}

function insert(tx: Transaction, made: NewKey): string {
  const key = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const counted = nextId(tx);
  if (!counted) throw new Error('the counter of keys is missing');
  insertKey(tx, { ...made, id: counted.value, hash: hashApiKey(key) });
  return key;
}

/** Ends every key of everybody, after the queues that were registered with them. */
export function endEveryKey(tx: Transaction): void {
  deleteKeys(tx);
}
