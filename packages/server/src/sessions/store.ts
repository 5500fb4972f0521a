import type { Columns, Value } from '@engawa/chat-server/database';
import { type Schema, queries } from '../database/schema.ts';

/** `since` is in Unix seconds; sessions that began earlier have expired and are not found. */
export const sessionRows = {
  find: queries.row((query, tokenHash: Value<Uint8Array>, since: Value<number>) =>
    query
      .selectFrom('session')
      .select(['user_id', 'sealed', 'used', 'key_id', 'deactivations'])
      .where('token_hash', '=', tokenHash)
      .where('created', '>', since),
  ),
  ofMember: queries.rows((query, userId: Value<number>, since: Value<number>) =>
    query
      .selectFrom('session')
      .select(['token_hash', 'id', 'user_agent', 'address', 'created', 'used', 'key_id', 'deactivations'])
      .where('user_id', '=', userId)
      .where('created', '>', since),
  ),
  insert: queries.run((query, session: Columns<Schema['session']>) =>
    query.insertInto('session').values({
      token_hash: session.token_hash,
      id: session.id,
      user_id: session.user_id,
      sealed: session.sealed,
      user_agent: session.user_agent,
      address: session.address,
      created: session.created,
      used: session.used,
      key_id: session.key_id,
      deactivations: session.deactivations,
    }),
  ),
  use: queries.run((query, tokenHash: Value<Uint8Array>, used: Value<number>) =>
    query.updateTable('session').set({ used }).where('token_hash', '=', tokenHash),
  ),
  reseal: queries.run((query, tokenHash: Value<Uint8Array>, sealed: Value<Uint8Array>) =>
    query.updateTable('session').set({ sealed }).where('token_hash', '=', tokenHash),
  ),
  remove: queries.rows((query, tokenHash: Value<Uint8Array>) =>
    query.deleteFrom('session').where('token_hash', '=', tokenHash).returning(['user_id', 'key_id']),
  ),
  removeOld: queries.rows((query, since: Value<number>) =>
    query.deleteFrom('session').where('created', '<=', since).returning(['user_id', 'key_id']),
  ),
};

/** `since` is in Unix seconds; devices that were used last before it are not found. */
export const knownDeviceRows = {
  membersOn: queries.values((query, tokenHash: Value<Uint8Array>, since: Value<number>) =>
    query.selectFrom('known_device').select('user_id').where('token_hash', '=', tokenHash).where('used', '>', since),
  ),
  /** The most recently used first. */
  ofMember: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('known_device').select('token_hash').where('user_id', '=', userId).orderBy('used', 'desc'),
  ),
  rename: queries.run((query, before: Value<Uint8Array>, tokenHash: Value<Uint8Array>) =>
    query.updateTable('known_device').set({ token_hash: tokenHash }).where('token_hash', '=', before),
  ),
  note: queries.run((query, tokenHash: Value<Uint8Array>, userId: Value<number>, used: Value<number>) =>
    query
      .insertInto('known_device')
      .values({ token_hash: tokenHash, user_id: userId, used })
      .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet({ used })),
  ),
  remove: queries.run((query, tokenHash: Value<Uint8Array>, userId: Value<number>) =>
    query.deleteFrom('known_device').where('token_hash', '=', tokenHash).where('user_id', '=', userId),
  ),
  removeOld: queries.run((query, since: Value<number>) => query.deleteFrom('known_device').where('used', '<=', since)),
};
