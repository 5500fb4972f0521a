import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type Schema, statement } from '../schema.ts';

export type ChangeRow = Schema['organisation_change'];

const select = statement()((query) => query.selectFrom('organisation_change').selectAll());
const insert = statement<{ id: string; change: string }>()((query, value) =>
  query.insertInto('organisation_change').values({ id: value.id, change: value.change, made: 0 }),
);
const noteMade = statement<{ id: string }>()((query, value) =>
  query.updateTable('organisation_change').set({ made: 1 }).where('id', '=', value.id),
);
const remove = statement<{ id: string }>()((query, value) => query.deleteFrom('organisation_change').where('id', '=', value.id));

/** The stored change; at most one, because plans run one at a time. */
export const pendingChange = {
  get: (reader: Reader): ChangeRow | undefined => reader.get(select, {}),
  insert: (tx: Transaction, id: string, change: string) => tx.run(insert, { id, change }),
  noteMade: (tx: Transaction, id: string) => tx.run(noteMade, { id }),
  remove: (tx: Transaction, id: string) => tx.run(remove, { id }),
};
