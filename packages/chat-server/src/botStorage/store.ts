import { type Columns, type Value, each } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export const botStorage = {
  all: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('bot_storage').select(['key', 'value']).where('user_id', '=', userId).orderBy('key'),
  ),
  some: queries.rows((query, userId: Value<number>, keys: Value<readonly string[]>) =>
    query
      .selectFrom('bot_storage')
      .select(['key', 'value'])
      .where('user_id', '=', userId)
      .where('key', 'in', each(keys))
      .orderBy('key'),
  ),
  size: queries.row((query, userId: Value<number>) =>
    query
      .selectFrom('bot_storage')
      .select((build) => [
        build.fn.countAll<number>().as('count'),
        build.fn
          .sum<number | null>(build(build.fn('octet_length', ['key']), '+', build.fn('octet_length', ['value'])))
          .as('bytes'),
      ])
      .where('user_id', '=', userId),
  ),
  set: queries.run((query, row: Columns<Row<'bot_storage'>>) =>
    query
      .insertInto('bot_storage')
      .values(columns(row, ['user_id', 'key', 'value']))
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doUpdateSet({ value: row.value })),
  ),
  delete: queries.run((query, userId: Value<number>, keys: Value<readonly string[]>) =>
    query.deleteFrom('bot_storage').where('user_id', '=', userId).where('key', 'in', each(keys)),
  ),
  deleteAll: queries.run((query, userId: Value<number>) => query.deleteFrom('bot_storage').where('user_id', '=', userId)),
};
