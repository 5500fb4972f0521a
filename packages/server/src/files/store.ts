import type { Columns, Value } from '@engawa/chat-server/database';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { type Schema, queries } from '../database/schema.ts';

export type FileRow = Schema['file'];
export type NewFile = Omit<FileRow, 'sent'>;

/** A literal, because with a bound value SQLite would not use the partial indexes. */
const isUnsent = (build: ExpressionBuilder<Schema, 'file'>) => build('sent', '=', sql.lit(0));

const sizesOf = (query: Kysely<Schema>, uploaderId: Value<number>) =>
  query
    .selectFrom('file')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'))
    .where('uploader_id', '=', uploaderId);

export const files = {
  find: queries.row((query, storedName: Value<string>) =>
    query.selectFrom('file').selectAll().where('stored_name', '=', storedName),
  ),
  /** The newest files of a member, with their numbers in the chat API. */
  ofUploader: queries.rows((query, uploaderId: Value<number>, most: Value<number>) =>
    query
      .selectFrom('file')
      .innerJoin('attachment', 'attachment.stored_name', 'file.stored_name')
      .selectAll('file')
      .select('attachment.id')
      .where('uploader_id', '=', uploaderId)
      .orderBy('file.created', 'desc')
      .orderBy('attachment.id', 'desc')
      .limit(most),
  ),
  bytesOf: queries.value((query, uploaderId: Value<number>) => sizesOf(query, uploaderId)),
  byNumber: queries.row((query, id: Value<number>, uploaderId: Value<number>) =>
    query
      .selectFrom('attachment')
      .innerJoin('file', 'file.stored_name', 'attachment.stored_name')
      .selectAll('file')
      .where('attachment.id', '=', id)
      .where('uploader_id', '=', uploaderId),
  ),
  remove: queries.run((query, storedName: Value<string>) => query.deleteFrom('file').where('stored_name', '=', storedName)),
  byPlace: queries.row((query, place: Value<string>) => query.selectFrom('file').select('place').where('place', '=', place)),
  insert: queries.run((query, file: Columns<NewFile>) =>
    query
      .insertInto('file')
      .values({
        stored_name: file.stored_name,
        place: file.place,
        uploader_id: file.uploader_id,
        name: file.name,
        size: file.size,
        type: file.type,
        created: file.created,
        sent: 0,
      })
      .onConflict((conflict) => conflict.column('stored_name').doNothing()),
  ),
  unsentBytes: queries.value((query, uploaderId: Value<number>) => sizesOf(query, uploaderId).where(isUnsent)),
  /** The oldest come first. @param before Unix seconds. @param skipped how many of the oldest are left out. */
  unsent: queries.rows((query, before: Value<number>, skipped: Value<number>, most: Value<number>) =>
    query
      .selectFrom('file')
      .selectAll()
      .where('created', '<', before)
      .where(isUnsent)
      .orderBy('created')
      .orderBy('stored_name')
      .limit(most)
      .offset(skipped),
  ),
  removeUnsent: queries.run((query, storedName: Value<string>) =>
    query.deleteFrom('file').where('stored_name', '=', storedName).where(isUnsent),
  ),
  markSent: queries.run((query, storedName: Value<string>) =>
    query.updateTable('file').set({ sent: 1 }).where('stored_name', '=', storedName).where(isUnsent),
  ),
};
