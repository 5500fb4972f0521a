import { z } from 'zod';
import type { Reader, Transaction, Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import type { Reorganised } from './reorganisation.ts';

const numbers = z.object({ users: z.array(z.int()), streams: z.array(z.int()) });

const select = queries.value((query, id: Value<string>) =>
  query.selectFrom('reorganisation').select('numbers').where('id', '=', id),
);
const removeOthers = queries.run((query) => query.deleteFrom('reorganisation'));
const insert = queries.run((query, id: Value<string>, numbers: Value<string>) =>
  query.insertInto('reorganisation').values({ id, numbers }),
);

/** The last change that was made: whoever did not hear of its end asks for it again. */
export const reorganisations = {
  /** What the change with this id gave out; undefined when it was not the last. */
  find(reader: Reader, id: string): Reorganised | undefined {
    const written = select(reader, id);
    return written === undefined ? undefined : numbers.parse(JSON.parse(written));
  },
  put(tx: Transaction, id: string, given: Reorganised): void {
    removeOthers(tx);
    insert(tx, id, JSON.stringify(given));
  },
};
