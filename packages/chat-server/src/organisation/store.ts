import { z } from 'zod';
import type { Reader, Transaction } from '../database/index.ts';
import { statement } from '../schema.ts';
import type { Reorganised } from './reorganisation.ts';

const numbers = z.object({ users: z.array(z.int()), streams: z.array(z.int()) });

const select = statement<{ id: string }>()((query, value) =>
  query.selectFrom('reorganisation').select('numbers').where('id', '=', value.id),
);
const removeOthers = statement()((query) => query.deleteFrom('reorganisation'));
const insert = statement<{ id: string; numbers: string }>()((query, value) =>
  query.insertInto('reorganisation').values({ id: value.id, numbers: value.numbers }),
);

/** The last change that was made: whoever did not hear of its end asks for it again. */
export const reorganisations = {
  /** What the change with this id gave out; undefined when it was not the last. */
  find(reader: Reader, id: string): Reorganised | undefined {
    const row = reader.get(select, { id });
    return row && numbers.parse(JSON.parse(row.numbers));
  },
  put(tx: Transaction, id: string, given: Reorganised): void {
    tx.run(removeOthers, {});
    tx.run(insert, { id, numbers: JSON.stringify(given) });
  },
};
