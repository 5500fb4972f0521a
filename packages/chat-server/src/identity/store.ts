import { roles } from '@engawa/protocol';
import { type Kysely, sql } from 'kysely';
import { type Reader, each, type Columns, type Value } from '../database/index.ts';
import { type ApiKeyKind, type Row, type Schema, columns, queries } from '../schema.ts';

export type UserRow = Row<'user'>;
export type KeyedUserRow = UserRow & { key_id: number; key_kind: ApiKeyKind; key_last_used: number | null };
export type NewUser = Omit<
  UserRow,
  'id' | 'is_active' | 'avatar_version' | 'pointer' | 'deactivations' | 'bot_type' | 'bot_owner_id' | 'granted_role'
>;

const insertUser = queries.insert((query, user: Columns<NewUser>) =>
  query.insertInto('user').values({
    is_active: 1,
    avatar_version: 1,
    ...columns(user, ['email', 'full_name', 'role', 'is_bot', 'password', 'timezone', 'avatar_url', 'date_joined']),
  }),
);

const usersWithKeys = (query: Kysely<Schema>) =>
  query
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .selectAll('user')
    .select(['api_key.id as key_id', 'api_key.kind as key_kind', 'api_key.last_used as key_last_used']);

const selectVersion = queries.value((query) => query.selectFrom('counter').select('value').where('name', '=', 'users'));

const setter = <Column extends 'full_name' | 'email' | 'timezone' | 'role' | 'password' | 'pointer'>(column: Column) =>
  queries.run((query, id: Value<number>, value: Value<UserRow[Column]>) =>
    query
      .updateTable('user')
      .set({ [column]: value })
      .where('id', '=', id),
  );

const usersAfter = queries.rows((query, id: Value<number>, most: Value<number>) =>
  query.selectFrom('user').selectAll().where('id', '>', id).orderBy('id').limit(most),
);

export const users = {
  /** A number that differs after every change of what all members see of users, including whose pictures they see. */
  version: (reader: Reader): number => selectVersion(reader) ?? 0,
  /** All users. @param most of a page. */
  *pages(reader: Reader, most: number): Generator<readonly UserRow[], void> {
    for (let page = usersAfter(reader, 0, most); page.length > 0; page = usersAfter(reader, page.at(-1)?.id ?? 0, most))
      yield page;
  },
  peopleAfter: queries.rows((query, id: Value<number>, most: Value<number>) =>
    query.selectFrom('user').selectAll().where('id', '>', id).where('is_bot', '=', 0).orderBy('id').limit(most),
  ),
  all: queries.rows((query) => query.selectFrom('user').selectAll().orderBy('id')),
  ids: queries.values((query) => query.selectFrom('user').select('id')),
  byId: queries.row((query, id: Value<number>) => query.selectFrom('user').selectAll().where('id', '=', id)),
  byEmail: queries.row((query, email: Value<string>) => query.selectFrom('user').selectAll().where('email', '=', email)),
  byIds: queries.rows((query, ids: Value<readonly number[]>) =>
    query.selectFrom('user').selectAll().where('id', 'in', each(ids)),
  ),
  byEmails: queries.rows((query, emails: Value<readonly string[]>) =>
    query.selectFrom('user').selectAll().where('email', 'in', each(emails)),
  ),
  /** Several users may have the same name. */
  byFullName: queries.rows((query, name: Value<string>, most: Value<number>) =>
    query
      .selectFrom('user')
      .selectAll()
      .where(sql<boolean>`full_name = ${name} COLLATE NOCASE`)
      .orderBy('id')
      .limit(most),
  ),
  activeWithRoles: queries.values((query, ranks: Value<readonly number[]>) =>
    query.selectFrom('user').select('id').where('is_active', '=', 1).where('role', 'in', each(ranks)).orderBy('id'),
  ),
  activeRoles: queries.rows((query) => query.selectFrom('user').select(['id', 'role']).where('is_active', '=', 1).orderBy('id')),
  activeNames: queries.rows((query) => query.selectFrom('user').select(['id', 'full_name']).where('is_active', '=', 1)),
  byKeyHash: queries.row((query, hash: Value<string>) => usersWithKeys(query).where('api_key.hash', '=', hash)),
  byKey: queries.row((query, keyId: Value<number>) => usersWithKeys(query).where('api_key.id', '=', keyId)),
  otherOwner: queries.value((query, id: Value<number>) =>
    query
      .selectFrom('user')
      .select('id')
      .where('role', '=', roles.owner)
      .where('is_active', '=', 1)
      .where('id', '!=', id)
      .limit(1),
  ),
  owners: queries.rows((query) =>
    query.selectFrom('user').selectAll().where('role', '=', roles.owner).where('is_active', '=', 1),
  ),
  insert: insertUser,
  setName: setter('full_name'),
  setEmail: setter('email'),
  setTimezone: setter('timezone'),
  setRole: setter('role'),
  /** A PHC string; empty if there is none. */
  setPassword: setter('password'),
  setPointer: setter('pointer'),
  /** @returns the picture's new version; undefined if there is no such user. */
  setAvatar: queries.value((query, id: Value<number>, avatar_url: Value<string | null>) =>
    query
      .updateTable('user')
      .set((build) => ({ avatar_url, avatar_version: build('avatar_version', '+', 1) }))
      .where('id', '=', id)
      .returning('avatar_version'),
  ),
  setActive: queries.run((query, id: Value<number>, isActive: Value<boolean>) =>
    query
      .updateTable('user')
      .set((build) => ({
        is_active: sql<number>`${isActive}`,
        deactivations: build('deactivations', '+', sql<number>`1 - ${isActive}`),
      }))
      .where('id', '=', id),
  ),
};
