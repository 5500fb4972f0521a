import { sql } from 'kysely';
import type { Transaction, Value } from '../database/index.ts';
import { queries } from '../schema.ts';

/** Per user; the oldest are deleted. */
export const mostFormerNames = 20;

const deleteName = queries.run((query, user_id: Value<number>, name: Value<string>) =>
  query
    .deleteFrom('former_name')
    .where('user_id', '=', user_id)
    .where(sql<boolean>`name = ${name} COLLATE NOCASE`),
);
const insertName = queries.run((query, user_id: Value<number>, name: Value<string>) =>
  query.insertInto('former_name').values({ user_id, name }),
);
const deleteOld = queries.run((query, user_id: Value<number>, most: Value<number>) =>
  query
    .deleteFrom('former_name')
    .where('id', 'in', (old) =>
      old.selectFrom('former_name').select('id').where('user_id', '=', user_id).orderBy('id', 'desc').limit(-1).offset(most),
    ),
);

export const formerNames = {
  all: queries.rows((query) => query.selectFrom('former_name').select(['user_id', 'name']).orderBy('id')),
  /** The newest bearer first. */
  bearers: queries.rows((query, name: Value<string>, most: Value<number>) =>
    query
      .selectFrom('former_name')
      .innerJoin('user', 'user.id', 'former_name.user_id')
      .selectAll('user')
      .where(sql<boolean>`former_name.name = ${name} COLLATE NOCASE`)
      .orderBy('former_name.id', 'desc')
      .limit(most),
  ),
  add(tx: Transaction, user_id: number, name: string): void {
    deleteName(tx, user_id, name);
    insertName(tx, user_id, name);
    deleteOld(tx, user_id, mostFormerNames);
  },
};
