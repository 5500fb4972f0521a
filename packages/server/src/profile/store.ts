import { type Columns, type Reader, type Value, each } from '@engawa/chat-server/database';
import type { StoredImage } from '../pictures/sendImage.ts';
import { type Schema, queries } from '../database/schema.ts';

export type ProfileRow = Schema['profile'];

export const profiles = {
  find: queries.row((query, userId: Value<number>) => query.selectFrom('profile').selectAll().where('user_id', '=', userId)),
  /** By ascending user ids; a negative `most` is no limit. */
  after: queries.rows((query, userId: Value<number>, most: Value<number>) =>
    query.selectFrom('profile').selectAll().where('user_id', '>', userId).orderBy('user_id').limit(most),
  ),
  among: queries.rows((query, userIds: Value<readonly number[]>) =>
    query.selectFrom('profile').selectAll().where('user_id', 'in', each(userIds)),
  ),
  numbered: queries.values((query, numbers: Value<readonly string[]>) =>
    query
      .selectFrom('profile')
      .select('user_id')
      .where('employee_number', 'in', each(numbers))
      .where('employee_number', '<>', ''),
  ),
  /** Keeps an existing employee number. */
  put: queries.run((query, { user_id, location, reading, title }: Columns<Omit<ProfileRow, 'employee_number'>>) =>
    query
      .insertInto('profile')
      .values({ user_id, location, reading, title, employee_number: '' })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ location, reading, title })),
  ),
  putEmployeeNumber: queries.run((query, user_id: Value<number>, employee_number: Value<string>) =>
    query
      .insertInto('profile')
      .values({ user_id, location: '', reading: '', title: '', employee_number })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ employee_number })),
  ),
  /** Writes only the location: the organisation maintains the other fields of this table. */
  putLocation: queries.run((query, user_id: Value<number>, location: Value<string>) =>
    query
      .insertInto('profile')
      .values({ user_id, location, reading: '', title: '', employee_number: '' })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ location })),
  ),
};

export function profilesByUser(reader: Reader, userIds: readonly number[]): ReadonlyMap<number, ProfileRow> {
  return new Map(profiles.among(reader, userIds).map((row) => [row.user_id, row]));
}

export const avatars = {
  find: queries.row((query, userId: Value<number>, version: Value<string>) =>
    query.selectFrom('avatar').selectAll().where('user_id', '=', userId).where('version', '=', version),
  ),
  ofOwner: queries.rows((query, userId: Value<number>) => query.selectFrom('avatar').selectAll().where('user_id', '=', userId)),
  byVersion: queries.row((query, version: Value<string>) =>
    query.selectFrom('avatar').selectAll().where('version', '=', version),
  ),
  insert: queries.run((query, user_id: Value<number>, { version, type, size }: Columns<StoredImage>) =>
    query.insertInto('avatar').values({ user_id, version, type, size }),
  ),
  remove: queries.run((query, userId: Value<number>, version: Value<string>) =>
    query.deleteFrom('avatar').where('user_id', '=', userId).where('version', '=', version),
  ),
};
