import { sql } from 'kysely';
import { queries } from '../database/schema.ts';

/** Reads the whole table of files. */
export const bytesOfFiles = queries.value((query) =>
  query.selectFrom('file').select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes')),
);
