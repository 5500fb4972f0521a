import { type Role, roles } from '@engawa/protocol';
import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { type ApiKeyKind, type Row, statement } from '../schema.ts';

export type UserRow = Row<'user'>;
/** A user with one of their keys. */
export type KeyedUserRow = UserRow & { key_id: number; key_kind: ApiKeyKind; key_last_used: number | null };
export type NewUser = Omit<UserRow, 'id' | 'is_active' | 'avatar_version' | 'pointer' | 'deactivations'>;

const insertUser = statement<NewUser>()((query, value) =>
  query
    .insertInto('user')
    .values({
      is_active: 1,
      avatar_version: 1,
      email: value.email,
      full_name: value.full_name,
      role: value.role,
      is_bot: value.is_bot,
      password: value.password,
      timezone: value.timezone,
      avatar_url: value.avatar_url,
      date_joined: value.date_joined,
    })
    .returning('id'),
);
const selectAll = statement()((query) => query.selectFrom('user').selectAll().orderBy('id'));
const selectById = statement<{ id: number }>()((query, value) => query.selectFrom('user').selectAll().where('id', '=', value.id));
const selectByEmail = statement<{ email: string }>()((query, value) =>
  query.selectFrom('user').selectAll().where('email', '=', value.email),
);
const selectAmong = statement<{ ids: string }>()((query, value) =>
  query
    .selectFrom('user')
    .selectAll()
    .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`),
);
const selectByEmails = statement<{ emails: string }>()((query, value) =>
  query
    .selectFrom('user')
    .selectAll()
    .where('email', 'in', sql<string>`(SELECT value FROM json_each(${value.emails}))`),
);
const selectByFullName = statement<{ full_name: string; most: number }>()((query, value) =>
  query
    .selectFrom('user')
    .selectAll()
    .where(sql<boolean>`full_name = ${value.full_name} COLLATE NOCASE`)
    .orderBy('id')
    .limit(value.most),
);
const selectByApiKey = statement<{ hash: string }>()((query, value) =>
  query
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .selectAll('user')
    .select(['api_key.id as key_id', 'api_key.kind as key_kind', 'api_key.last_used as key_last_used'])
    .where('api_key.hash', '=', value.hash),
);
const selectByKey = statement<{ key_id: number }>()((query, value) =>
  query
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .selectAll('user')
    .select(['api_key.id as key_id', 'api_key.kind as key_kind', 'api_key.last_used as key_last_used'])
    .where('api_key.id', '=', value.key_id),
);
const selectOtherOwner = statement<{ id: number }>()((query, value) =>
  query
    .selectFrom('user')
    .select('id')
    .where('role', '=', roles.owner)
    .where('is_active', '=', 1)
    .where('id', '!=', value.id)
    .limit(1),
);
const selectOwners = statement()((query) =>
  query.selectFrom('user').selectAll().where('role', '=', roles.owner).where('is_active', '=', 1),
);
const updateName = statement<{ id: number; full_name: string }>()((query, value) =>
  query.updateTable('user').set({ full_name: value.full_name }).where('id', '=', value.id),
);
const updateEmail = statement<{ id: number; email: string }>()((query, value) =>
  query.updateTable('user').set({ email: value.email }).where('id', '=', value.id),
);
const updateTimezone = statement<{ id: number; timezone: string }>()((query, value) =>
  query.updateTable('user').set({ timezone: value.timezone }).where('id', '=', value.id),
);
const updateAvatar = statement<{ id: number; avatar_url: string | null }>()((query, value) =>
  query
    .updateTable('user')
    .set((build) => ({ avatar_url: value.avatar_url, avatar_version: build('avatar_version', '+', 1) }))
    .where('id', '=', value.id)
    .returning('avatar_version'),
);
const updateRole = statement<{ id: number; role: number }>()((query, value) =>
  query.updateTable('user').set({ role: value.role }).where('id', '=', value.id),
);
const updateActive = statement<{ id: number; is_active: number }>()((query, value) =>
  query
    .updateTable('user')
    .set((build) => ({
      is_active: value.is_active,
      deactivations: build('deactivations', '+', sql<number>`1 - ${value.is_active}`),
    }))
    .where('id', '=', value.id),
);
const updatePassword = statement<{ id: number; password: string }>()((query, value) =>
  query.updateTable('user').set({ password: value.password }).where('id', '=', value.id),
);
const updatePointer = statement<{ id: number; pointer: number }>()((query, value) =>
  query.updateTable('user').set({ pointer: value.pointer }).where('id', '=', value.id),
);

export const users = {
  all: (reader: Reader) => reader.all(selectAll, {}),
  byId: (reader: Reader, id: number) => reader.get(selectById, { id }),
  byEmail: (reader: Reader, email: string) => reader.get(selectByEmail, { email }),
  among: (reader: Reader, ids: readonly number[]) => reader.all(selectAmong, { ids: JSON.stringify(ids) }),
  byEmails: (reader: Reader, emails: readonly string[]) => reader.all(selectByEmails, { emails: JSON.stringify(emails) }),
  /** Several users may have one name. */
  byFullName: (reader: Reader, name: string, most: number) => reader.all(selectByFullName, { full_name: name, most }),
  /** By the hash of a key. */
  byApiKey: (reader: Reader, hash: string): KeyedUserRow | undefined => reader.get(selectByApiKey, { hash }),
  /** By the id of a key. */
  byKey: (reader: Reader, keyId: number): KeyedUserRow | undefined => reader.get(selectByKey, { key_id: keyId }),
  /** Whether there is an active owner beside this user. */
  hasOtherOwner: (reader: Reader, id: number): boolean => reader.get(selectOtherOwner, { id }) !== undefined,
  /** The active ones. */
  owners: (reader: Reader) => reader.all(selectOwners, {}),
  insert(tx: Transaction, user: NewUser): number {
    const inserted = tx.get(insertUser, user);
    if (!inserted) throw new Error('an inserted user has an id');
    return inserted.id;
  },
  setName: (tx: Transaction, id: number, name: string) => tx.run(updateName, { id, full_name: name }),
  setEmail: (tx: Transaction, id: number, email: string) => tx.run(updateEmail, { id, email }),
  setTimezone: (tx: Transaction, id: number, timezone: string) => tx.run(updateTimezone, { id, timezone }),
  /** @returns the picture's version, one more than before; undefined when there is no such user. */
  setAvatar: (tx: Transaction, id: number, avatar_url: string | null): number | undefined =>
    tx.get(updateAvatar, { id, avatar_url })?.avatar_version,
  setRole: (tx: Transaction, id: number, role: Role) => tx.run(updateRole, { id, role }),
  setActive: (tx: Transaction, id: number, active: boolean) => tx.run(updateActive, { id, is_active: active ? 1 : 0 }),
  /** @param password a PHC string; empty: they have none. */
  setPassword: (tx: Transaction, id: number, password: string) => tx.run(updatePassword, { id, password }),
  setPointer: (tx: Transaction, id: number, pointer: number) => tx.run(updatePointer, { id, pointer }),
};
