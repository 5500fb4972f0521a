import type { MutedUser } from '@engawa/protocol';
import type { Columns, Reader, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

const select = queries.rows((query, userId: Value<number>) =>
  query
    .selectFrom('muted_user')
    .select(['muted_id as id', 'since as timestamp'])
    .where('user_id', '=', userId)
    .orderBy('since')
    .orderBy('muted_id'),
);

export const mutedUsers = {
  /** In the order in which the member has muted them. */
  of: (reader: Reader, userId: number): MutedUser[] => select(reader, userId),
  mutersOf: queries.values((query, mutedId: Value<number>, most: Value<number>) =>
    query.selectFrom('muted_user').select('user_id').where('muted_id', '=', mutedId).orderBy('user_id').limit(most),
  ),
  insert: queries.run((query, row: Columns<Row<'muted_user'>>) =>
    query.insertInto('muted_user').values({ user_id: row.user_id, muted_id: row.muted_id, since: row.since }),
  ),
  remove: queries.run((query, userId: Value<number>, mutedId: Value<number>) =>
    query.deleteFrom('muted_user').where('user_id', '=', userId).where('muted_id', '=', mutedId),
  ),
};
