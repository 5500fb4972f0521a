import type { Reader, Transaction } from '@engawa/chat-server/database';
import { statement } from '../schema.ts';

const select = statement()((query) => query.selectFrom('seeding').selectAll());
const begin = statement()((query) =>
  query.insertInto('seeding').values({ id: 1, finished: 0 }).onConflict((conflict) => conflict.doNothing()),
);
const finish = statement()((query) => query.updateTable('seeding').set({ finished: 1 }));

/** Whether the demo organisation was begun, and whether that came to its end. */
export const seedings = {
  get: (reader: Reader) => reader.get(select, {}),
  begin: (tx: Transaction) => tx.run(begin, {}),
  finish: (tx: Transaction) => tx.run(finish, {}),
};
