import type { Columns, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export type PresenceRow = Row<'presence'>;

export const presences = {
  since: queries.rows((query, since: Value<number>) =>
    query
      .selectFrom('presence')
      .innerJoin('user', 'user.id', 'presence.user_id')
      .selectAll('presence')
      .where('presence.idle', '>', since)
      .where('user.is_active', '=', 1),
  ),
  put: queries.run((query, row: Columns<PresenceRow>) =>
    query
      .insertInto('presence')
      .values(columns(row, ['user_id', 'active', 'idle']))
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns(row, ['active', 'idle']))),
  ),
  remove: queries.run((query, userId: Value<number>) => query.deleteFrom('presence').where('user_id', '=', userId)),
};
