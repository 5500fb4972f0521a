import { roles } from '@engawa/protocol';
import { sql } from 'kysely';
import { type Reader, type Transaction, each, type Columns, type Value } from '../database/index.ts';
import { type ApiKeyKind, type Row, queries } from '../schema.ts';

export type UserRow = Row<'user'>;
/** A user with one of their keys. */
export type KeyedUserRow = UserRow & { key_id: number; key_kind: ApiKeyKind; key_last_used: number | null };
export type NewUser = Omit<UserRow, 'id' | 'is_active' | 'avatar_version' | 'pointer' | 'deactivations'>;

const insertUser = queries.row((query, row: Columns<NewUser>) =>
  query
    .insertInto('user')
    .values({
      is_active: 1,
      avatar_version: 1,
      email: row.email,
      full_name: row.full_name,
      role: row.role,
      is_bot: row.is_bot,
      password: row.password,
      timezone: row.timezone,
      avatar_url: row.avatar_url,
      date_joined: row.date_joined,
    })
    .returning('id'),
);

const selectOtherOwner = queries.row((query, id: Value<number>) =>
  query.selectFrom('user').select('id').where('role', '=', roles.owner).where('is_active', '=', 1).where('id', '!=', id).limit(1),
);

const updateActive = queries.run((query, id: Value<number>, is_active: Value<number>) =>
  query
    .updateTable('user')
    .set((build) => ({
      is_active,
      deactivations: build('deactivations', '+', sql<number>`1 - ${is_active}`),
    }))
    .where('id', '=', id),
);

export const users = {
  all: queries.rows((query) => query.selectFrom('user').selectAll().orderBy('id')),
  byId: queries.row((query, id: Value<number>) => query.selectFrom('user').selectAll().where('id', '=', id)),
  byEmail: queries.row((query, email: Value<string>) => query.selectFrom('user').selectAll().where('email', '=', email)),
  among: queries.rows((query, ids: Value<readonly number[]>) =>
    query.selectFrom('user').selectAll().where('id', 'in', each(ids)),
  ),
  byEmails: queries.rows((query, emails: Value<readonly string[]>) =>
    query.selectFrom('user').selectAll().where('email', 'in', each(emails)),
  ),
  /** Several users may have one name. */
  byFullName: queries.rows((query, name: Value<string>, most: Value<number>) =>
    query
      .selectFrom('user')
      .selectAll()
      .where(sql<boolean>`full_name = ${name} COLLATE NOCASE`)
      .orderBy('id')
      .limit(most),
  ),
  /** By the hash of a key. */
  byApiKey: queries.row((query, hash: Value<string>) =>
    query
      .selectFrom('api_key')
      .innerJoin('user', 'user.id', 'api_key.user_id')
      .selectAll('user')
      .select(['api_key.id as key_id', 'api_key.kind as key_kind', 'api_key.last_used as key_last_used'])
      .where('api_key.hash', '=', hash),
  ),
  /** By the id of a key. */
  byKey: queries.row((query, keyId: Value<number>) =>
    query
      .selectFrom('api_key')
      .innerJoin('user', 'user.id', 'api_key.user_id')
      .selectAll('user')
      .select(['api_key.id as key_id', 'api_key.kind as key_kind', 'api_key.last_used as key_last_used'])
      .where('api_key.id', '=', keyId),
  ),
  /** Whether there is an active owner beside this user. */
  hasOtherOwner: (reader: Reader, id: number): boolean => selectOtherOwner(reader, id) !== undefined,
  /** The active ones. */
  owners: queries.rows((query) =>
    query.selectFrom('user').selectAll().where('role', '=', roles.owner).where('is_active', '=', 1),
  ),
  insert(tx: Transaction, user: NewUser): number {
    const inserted = insertUser(tx, user);
    if (!inserted) throw new Error('an inserted user has an id');
    return inserted.id;
  },
  setName: queries.run((query, id: Value<number>, name: Value<string>) =>
    query.updateTable('user').set({ full_name: name }).where('id', '=', id),
  ),
  setEmail: queries.run((query, id: Value<number>, email: Value<string>) =>
    query.updateTable('user').set({ email }).where('id', '=', id),
  ),
  setTimezone: queries.run((query, id: Value<number>, timezone: Value<string>) =>
    query.updateTable('user').set({ timezone }).where('id', '=', id),
  ),
  /** @returns the picture's version, one more than before; undefined when there is no such user. */
  setAvatar: queries.value((query, id: Value<number>, avatar_url: Value<string | null>) =>
    query
      .updateTable('user')
      .set((build) => ({ avatar_url, avatar_version: build('avatar_version', '+', 1) }))
      .where('id', '=', id)
      .returning('avatar_version'),
  ),
  setRole: queries.run((query, id: Value<number>, role: Value<number>) =>
    query.updateTable('user').set({ role }).where('id', '=', id),
  ),
  setActive: (tx: Transaction, id: number, active: boolean) => updateActive(tx, id, active ? 1 : 0),
  /** @param password a PHC string; empty: they have none. */
  setPassword: queries.run((query, id: Value<number>, password: Value<string>) =>
    query.updateTable('user').set({ password }).where('id', '=', id),
  ),
  setPointer: queries.run((query, id: Value<number>, pointer: Value<number>) =>
    query.updateTable('user').set({ pointer }).where('id', '=', id),
  ),
};
