import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type Schema, statement } from '../schema.ts';

const insert = statement<{ token_hash: Uint8Array; user_id: number; sealed: Uint8Array; created: number }>()(
  (query, value) =>
    query.insertInto('session').values({
      token_hash: value.token_hash,
      user_id: value.user_id,
      sealed: value.sealed,
      created: value.created,
    }),
);
const select = statement<{ token_hash: Uint8Array; since: number }>()((query, value) =>
  query
    .selectFrom('session')
    .select(['user_id', 'sealed'])
    .where('token_hash', '=', value.token_hash)
    .where('created', '>', value.since),
);
const remove = statement<{ token_hash: Uint8Array }>()((query, value) =>
  query.deleteFrom('session').where('token_hash', '=', value.token_hash),
);
const removeOld = statement<{ since: number }>()((query, value) =>
  query.deleteFrom('session').where('created', '<=', value.since),
);

/** `since` is in unix seconds; a session that is not younger has run out. */
export const sessionRows = {
  find: (reader: Reader, tokenHash: Uint8Array, since: number) =>
    reader.get(select, { token_hash: tokenHash, since }),
  insert: (tx: Transaction, session: Schema['session']) => tx.run(insert, { ...session }),
  remove: (tx: Transaction, tokenHash: Uint8Array) => tx.run(remove, { token_hash: tokenHash }),
  removeOld: (tx: Transaction, since: number) => tx.run(removeOld, { since }),
};
