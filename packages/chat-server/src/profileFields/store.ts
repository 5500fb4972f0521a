import { type Columns, type Value, each } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export type ProfileFieldRow = Row<'profile_field'>;
const written = ['type', 'position', 'name', 'hint', 'field_data', 'in_summary'] as const;

export const profileFields = {
  all: queries.rows((query) => query.selectFrom('profile_field').selectAll().orderBy('position').orderBy('id')),
  insert: queries.insert((query, row: Columns<Omit<ProfileFieldRow, 'id'>>) =>
    query.insertInto('profile_field').values(columns(row, written)),
  ),
  update: queries.run((query, id: Value<number>, row: Columns<Omit<ProfileFieldRow, 'id'>>) =>
    query.updateTable('profile_field').set(columns(row, written)).where('id', '=', id),
  ),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('profile_field').where('id', '=', id)),
};

export const profileValues = {
  of: queries.rows((query, userIds: Value<readonly number[]>) =>
    query.selectFrom('profile_value').selectAll().where('user_id', 'in', each(userIds)).orderBy('field_id'),
  ),
  set: queries.run((query, row: Columns<Row<'profile_value'>>) =>
    query
      .insertInto('profile_value')
      .values(columns(row, ['field_id', 'user_id', 'value']))
      .onConflict((conflict) => conflict.columns(['user_id', 'field_id']).doUpdateSet({ value: row.value })),
  ),
  remove: queries.run((query, fieldId: Value<number>, userId: Value<number>) =>
    query.deleteFrom('profile_value').where('field_id', '=', fieldId).where('user_id', '=', userId),
  ),
  removeOfField: queries.run((query, fieldId: Value<number>) =>
    query.deleteFrom('profile_value').where('field_id', '=', fieldId),
  ),
};
