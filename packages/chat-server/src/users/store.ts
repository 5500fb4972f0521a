import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type UserRow = Row<'user'>;
export type NewUser = Omit<UserRow, 'id' | 'is_active' | 'avatar_version'>;

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
const selectById = statement<{ id: number }>()((query, value) =>
  query.selectFrom('user').selectAll().where('id', '=', value.id),
);
const selectByEmail = statement<{ email: string }>()((query, value) =>
  query.selectFrom('user').selectAll().where('email', '=', value.email),
);
const selectByApiKey = statement<{ hash: string }>()((query, value) =>
  query
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .selectAll('user')
    .where('api_key.hash', '=', value.hash),
);

export const users = {
  all: (reader: Reader) => reader.all(selectAll, {}),
  byId: (reader: Reader, id: number) => reader.get(selectById, { id }),
  byEmail: (reader: Reader, email: string) => reader.get(selectByEmail, { email }),
  byApiKey: (reader: Reader, hash: string) => reader.get(selectByApiKey, { hash }),
  insert(tx: Transaction, user: NewUser): number {
    const inserted = tx.get(insertUser, user);
    if (!inserted) throw new Error('an inserted user has an id');
    return inserted.id;
  },
};
