import type { Reader, Transaction } from '@engawa/chat-server/database';
import { sql } from 'kysely';
import type { StoredImage } from '../pictures/sendImage.ts';
import { type Schema, statement } from '../schema.ts';

export type ProfileRow = Schema['profile'];
type AvatarRow = Schema['avatar'];

const selectProfile = statement<{ user_id: number }>()((query, value) =>
  query.selectFrom('profile').selectAll().where('user_id', '=', value.user_id),
);
const selectProfilesAfter = statement<{ after: number; most: number }>()((query, value) =>
  query.selectFrom('profile').selectAll().where('user_id', '>', value.after).orderBy('user_id').limit(value.most),
);
const selectProfilesAmong = statement<{ user_ids: string }>()((query, value) =>
  query
    .selectFrom('profile')
    .selectAll()
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`),
);
const selectNumbered = statement<{ numbers: string }>()((query, value) =>
  query
    .selectFrom('profile')
    .select('user_id')
    .where('employee_number', 'in', sql<string>`(SELECT value FROM json_each(${value.numbers}))`)
    .where('employee_number', '<>', ''),
);
const putEmployeeNumber = statement<{ user_id: number; employee_number: string }>()((query, value) =>
  query
    .insertInto('profile')
    .values({ user_id: value.user_id, location: '', reading: '', title: '', employee_number: value.employee_number })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ employee_number: value.employee_number })),
);
const putProfile = statement<Omit<ProfileRow, 'employee_number'>>()((query, value) =>
  query
    .insertInto('profile')
    .values({
      user_id: value.user_id,
      location: value.location,
      reading: value.reading,
      title: value.title,
      employee_number: '',
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ location: value.location, reading: value.reading, title: value.title }),
    ),
);
const putLocation = statement<Pick<ProfileRow, 'user_id' | 'location'>>()((query, value) =>
  query
    .insertInto('profile')
    .values({ user_id: value.user_id, location: value.location, reading: '', title: '', employee_number: '' })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ location: value.location })),
);

export const profiles = {
  find: (reader: Reader, userId: number): ProfileRow | undefined => reader.get(selectProfile, { user_id: userId }),
  /** Ascending user ids, at most `most`. */
  after: (reader: Reader, userId: number, most: number): ProfileRow[] => reader.all(selectProfilesAfter, { after: userId, most }),
  among: (reader: Reader, userIds: readonly number[]): ProfileRow[] =>
    reader.all(selectProfilesAmong, { user_ids: JSON.stringify(userIds) }),
  /** Keeps an existing employee number. */
  put: (tx: Transaction, profile: Omit<ProfileRow, 'employee_number'>) => tx.run(putProfile, { ...profile }),
  /** The users with these employee numbers. */
  numbered: (reader: Reader, numbers: readonly string[]): Pick<ProfileRow, 'user_id'>[] =>
    reader.all(selectNumbered, { numbers: JSON.stringify(numbers) }),
  putEmployeeNumber: (tx: Transaction, userId: number, number: string) =>
    tx.run(putEmployeeNumber, { user_id: userId, employee_number: number }),
  /** Keeps the fields that the organisation maintains. */
  putLocation: (tx: Transaction, profile: Pick<ProfileRow, 'user_id' | 'location'>) => tx.run(putLocation, { ...profile }),
};

const selectAvatar = statement<{ user_id: number; version: string }>()((query, value) =>
  query.selectFrom('avatar').selectAll().where('user_id', '=', value.user_id).where('version', '=', value.version),
);
const selectAvatarsOf = statement<{ user_id: number }>()((query, value) =>
  query.selectFrom('avatar').selectAll().where('user_id', '=', value.user_id),
);
const selectVersion = statement<{ version: string }>()((query, value) =>
  query.selectFrom('avatar').select('version').where('version', '=', value.version),
);
const insertAvatar = statement<AvatarRow>()((query, value) =>
  query.insertInto('avatar').values({ user_id: value.user_id, version: value.version, type: value.type, size: value.size }),
);
const removeAvatar = statement<{ user_id: number; version: string }>()((query, value) =>
  query.deleteFrom('avatar').where('user_id', '=', value.user_id).where('version', '=', value.version),
);

export const avatars = {
  find: (reader: Reader, userId: number, version: string): AvatarRow | undefined =>
    reader.get(selectAvatar, { user_id: userId, version }),
  ofOwner: (reader: Reader, userId: number): AvatarRow[] => reader.all(selectAvatarsOf, { user_id: userId }),
  isVersion: (reader: Reader, version: string): boolean => reader.get(selectVersion, { version }) !== undefined,
  insert: (tx: Transaction, userId: number, image: StoredImage) => tx.run(insertAvatar, { user_id: userId, ...image }),
  remove: (tx: Transaction, userId: number, version: string) => tx.run(removeAvatar, { user_id: userId, version }),
};
