import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

const selectRealm = statement()((query) => query.selectFrom('realm').selectAll());
const insertRealm = statement<Omit<Row<'realm'>, 'id'>>()((query, value) =>
  query.insertInto('realm').values({
    id: 1,
    name: value.name,
    description: value.description,
    epoch: value.epoch,
    created: value.created,
  }),
);

/** The organisation; there is one or none. */
export const realms = {
  get: (reader: Reader) => reader.get(selectRealm, {}),
  insert: (tx: Transaction, realm: Omit<Row<'realm'>, 'id'>) => tx.run(insertRealm, realm),
};
