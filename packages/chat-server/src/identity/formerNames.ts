import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';
import type { UserRow } from './store.ts';

/** Of each user the newest are remembered. */
export const mostFormerNames = 20;

const deleteName = statement<{ user_id: number; name: string }>()((query, value) =>
  query
    .deleteFrom('former_name')
    .where('user_id', '=', value.user_id)
    .where(sql<boolean>`name = ${value.name} COLLATE NOCASE`),
);
const insertName = statement<{ user_id: number; name: string }>()((query, value) =>
  query.insertInto('former_name').values({ user_id: value.user_id, name: value.name }),
);
const deleteOld = statement<{ user_id: number; most: number }>()((query, value) =>
  query
    .deleteFrom('former_name')
    .where('id', 'in', (old) =>
      old
        .selectFrom('former_name')
        .select('id')
        .where('user_id', '=', value.user_id)
        .orderBy('id', 'desc')
        .limit(-1)
        .offset(value.most),
    ),
);
const selectAll = statement()((query) => query.selectFrom('former_name').select(['user_id', 'name']).orderBy('id'));
const selectLastBearer = statement<{ name: string }>()((query, value) =>
  query
    .selectFrom('former_name')
    .innerJoin('user', 'user.id', 'former_name.user_id')
    .selectAll('user')
    .where(sql<boolean>`former_name.name = ${value.name} COLLATE NOCASE`)
    .orderBy('former_name.id', 'desc')
    .limit(1),
);

/** What users were called before: older texts mention them so. */
export const formerNames = {
  all: (reader: Reader): Pick<Row<'former_name'>, 'user_id' | 'name'>[] => reader.all(selectAll, {}),
  lastBearer: (reader: Reader, name: string): UserRow | undefined => reader.get(selectLastBearer, { name }),
  add(tx: Transaction, user_id: number, name: string): void {
    tx.run(deleteName, { user_id, name });
    tx.run(insertName, { user_id, name });
    tx.run(deleteOld, { user_id, most: mostFormerNames });
  },
};
