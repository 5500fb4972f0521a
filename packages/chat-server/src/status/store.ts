import type { Columns, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

const statusColumns = ['status_text', 'emoji_name', 'emoji_code', 'reaction_type', 'ends'] as const;
export type Status = Pick<Row<'user_status'>, (typeof statusColumns)[number]>;

export const statuses = {
  all: queries.rows((query) =>
    query
      .selectFrom('user_status')
      .innerJoin('user', 'user.id', 'user_status.user_id')
      .selectAll('user_status')
      .where('user.is_active', '=', 1),
  ),
  of: queries.row((query, userId: Value<number>) => query.selectFrom('user_status').selectAll().where('user_id', '=', userId)),
  ended: queries.values((query, now: Value<number>, most: Value<number>) =>
    query
      .selectFrom('user_status')
      .select('user_id')
      .where('ends', 'is not', null)
      .where('ends', '<=', now)
      .orderBy('ends')
      .limit(most),
  ),
  put: queries.run((query, row: Columns<Row<'user_status'>>) =>
    query
      .insertInto('user_status')
      .values(columns(row, ['user_id', ...statusColumns]))
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns(row, statusColumns))),
  ),
  remove: queries.run((query, userId: Value<number>) => query.deleteFrom('user_status').where('user_id', '=', userId)),
};
