import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type Schema, statement } from '../schema.ts';

const insert = statement<Schema['session']>()((query, value) =>
  query.insertInto('session').values({
    token_hash: value.token_hash,
    id: value.id,
    user_id: value.user_id,
    sealed: value.sealed,
    user_agent: value.user_agent,
    created: value.created,
    used: value.used,
    key_id: value.key_id,
  }),
);
const select = statement<{ token_hash: Uint8Array; since: number }>()((query, value) =>
  query
    .selectFrom('session')
    .select(['user_id', 'sealed', 'used', 'key_id'])
    .where('token_hash', '=', value.token_hash)
    .where('created', '>', value.since),
);
const selectOfMember = statement<{ user_id: number; since: number }>()((query, value) =>
  query
    .selectFrom('session')
    .select(['token_hash', 'id', 'user_agent', 'created', 'used', 'key_id'])
    .where('user_id', '=', value.user_id)
    .where('created', '>', value.since),
);
const use = statement<{ token_hash: Uint8Array; used: number }>()((query, value) =>
  query.updateTable('session').set({ used: value.used }).where('token_hash', '=', value.token_hash),
);
const remove = statement<{ token_hash: Uint8Array }>()((query, value) =>
  query.deleteFrom('session').where('token_hash', '=', value.token_hash).returning(['user_id', 'key_id']),
);
const removeOld = statement<{ since: number }>()((query, value) =>
  query.deleteFrom('session').where('created', '<=', value.since).returning(['user_id', 'key_id']),
);

/** `since` is in Unix seconds; sessions that began before it have expired. */
export const sessionRows = {
  find: (reader: Reader, tokenHash: Uint8Array, since: number) => reader.get(select, { token_hash: tokenHash, since }),
  ofMember: (reader: Reader, userId: number, since: number) => reader.all(selectOfMember, { user_id: userId, since }),
  insert: (tx: Transaction, session: Schema['session']) => tx.run(insert, { ...session }),
  use: (tx: Transaction, tokenHash: Uint8Array, used: number) => tx.run(use, { token_hash: tokenHash, used }),
  /** @returns the owner and key of the removed session. */
  remove: (tx: Transaction, tokenHash: Uint8Array) => tx.all(remove, { token_hash: tokenHash }),
  removeOld: (tx: Transaction, since: number) => tx.all(removeOld, { since }),
};
