import { z } from 'zod';
import type { Reader, Transaction, Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import type { Reorganised } from './reorganisation.ts';

const numbers = z.object({ users: z.array(z.int()), streams: z.array(z.int()) });

const select = queries.value((query, id: Value<string>) =>
  query.selectFrom('reorganisation').select('numbers').where('id', '=', id),
);
const deleteAll = queries.run((query) => query.deleteFrom('reorganisation'));
const insert = queries.run((query, id: Value<string>, numbers: Value<string>) =>
  query.insertInto('reorganisation').values({ id, numbers }),
);

/** The last reorganisation, so that a caller who missed its result can repeat it. */
export const reorganisations = {
  /** The result of the reorganisation with this id; undefined if it was not the last one. */
  find(reader: Reader, id: string): Reorganised | undefined {
    const written = select(reader, id);
    return written === undefined ? undefined : numbers.parse(JSON.parse(written));
  },
  put(tx: Transaction, id: string, given: Reorganised): void {
    deleteAll(tx);
    insert(tx, id, JSON.stringify(given));
  },
};
