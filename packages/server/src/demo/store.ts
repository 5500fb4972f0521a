import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type Schema, statement } from '../schema.ts';

const select = statement()((query) => query.selectFrom('seeding').selectAll());
const begin = statement()((query) =>
  query
    .insertInto('seeding')
    .values({ id: 1, finished: 0 })
    .onConflict((conflict) => conflict.doNothing()),
);
const remove = statement()((query) => query.deleteFrom('seeding'));
const finish = statement()((query) => query.updateTable('seeding').set({ finished: 1 }));

const selectMembers = statement()((query) => query.selectFrom('demo_member').selectAll());
const insertMember = statement<Schema['demo_member']>()((query, value) =>
  query.insertInto('demo_member').values({ email: value.email, user_id: value.user_id }),
);

/** The user of each demo member, by their original email. */
export const demoMembers = {
  all: (reader: Reader) => reader.all(selectMembers, {}),
  insert: (tx: Transaction, member: Schema['demo_member']) => tx.run(insertMember, { ...member }),
};

/** Whether the demo organisation was begun, and whether its seeding finished. */
export const seedings = {
  get: (reader: Reader) => reader.get(select, {}),
  begin: (tx: Transaction) => tx.run(begin, {}),
  remove: (tx: Transaction) => tx.run(remove, {}),
  finish: (tx: Transaction) => tx.run(finish, {}),
};
