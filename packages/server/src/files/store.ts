import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type ExpressionBuilder, sql } from 'kysely';
import { type Schema, statement } from '../schema.ts';

export type FileRow = Schema['file'];
export type NewFile = Omit<FileRow, 'sent'>;

const select = statement<{ stored_name: string }>()((query, value) =>
  query.selectFrom('file').selectAll().where('stored_name', '=', value.stored_name),
);
const insert = statement<NewFile>()((query, value) =>
  query
    .insertInto('file')
    .values({
      stored_name: value.stored_name,
      place: value.place,
      uploader_id: value.uploader_id,
      name: value.name,
      size: value.size,
      type: value.type,
      created: value.created,
      sent: 0,
    })
    .onConflict((conflict) => conflict.column('stored_name').doNothing()),
);
const selectPlace = statement<{ place: string }>()((query, value) =>
  query.selectFrom('file').select('place').where('place', '=', value.place),
);
/** A literal, because with a bound value SQLite would not use the partial indexes. */
const isUnsent = (build: ExpressionBuilder<Schema, 'file'>) => build('sent', '=', sql.lit(0));
const markSent = statement<{ stored_name: string }>()((query, value) =>
  query.updateTable('file').set({ sent: 1 }).where('stored_name', '=', value.stored_name).where(isUnsent),
);
const selectUnsentBytes = statement<{ uploader_id: number }>()((query, value) =>
  query
    .selectFrom('file')
    .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'))
    .where('uploader_id', '=', value.uploader_id)
    .where(isUnsent),
);
const selectUnsent = statement<{ before: number; most: number }>()((query, value) =>
  query.selectFrom('file').selectAll().where('created', '<', value.before).where(isUnsent).limit(value.most),
);
const removeUnsent = statement<{ stored_name: string }>()((query, value) =>
  query.deleteFrom('file').where('stored_name', '=', value.stored_name).where(isUnsent),
);

export const files = {
  find: (reader: Reader, storedName: string): FileRow | undefined => reader.get(select, { stored_name: storedName }),
  /** @returns false if the stored name is taken. */
  insert: (tx: Transaction, file: NewFile): boolean => tx.run(insert, { ...file }) === 1,
  isPlace: (reader: Reader, place: string): boolean => reader.get(selectPlace, { place }) !== undefined,
  unsentBytes: (reader: Reader, uploaderId: number): number =>
    reader.get(selectUnsentBytes, { uploader_id: uploaderId })?.bytes ?? 0,
  /** @param before Unix seconds. */
  unsent: (reader: Reader, before: number, most: number): FileRow[] => reader.all(selectUnsent, { before, most }),
  /** @returns false if the file was sent meanwhile. */
  removeUnsent: (tx: Transaction, storedName: string): boolean => tx.run(removeUnsent, { stored_name: storedName }) === 1,
  markSent: (tx: Transaction, storedName: string) => tx.run(markSent, { stored_name: storedName }),
};
