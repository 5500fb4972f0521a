import type { Columns, Value } from '@engawa/chat-server/database';
import { sql } from 'kysely';
import { type Schema, queries } from '../database/schema.ts';

export const samples = {
  add: queries.run((query, sample: Columns<Schema['sample']>) =>
    query
      .insertInto('sample')
      .values({ time: sample.time, figures: sample.figures })
      .onConflict((conflict) => conflict.column('time').doNothing()),
  ),
  /** From the oldest. */
  after: queries.rows((query, time: Value<number>) =>
    query.selectFrom('sample').selectAll().where('time', '>', time).orderBy('time'),
  ),
  deleteUpTo: queries.run((query, time: Value<number>) => query.deleteFrom('sample').where('time', '<=', time)),
};

/** Reads the whole table of files. */
export const bytesOfFiles = queries.value((query) =>
  query.selectFrom('file').select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes')),
);
