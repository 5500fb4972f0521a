import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type Schema, statement } from '../schema.ts';

export type FileRow = Schema['file'];
export type FileMessageRow = Schema['file_message'];

const select = statement<{ stored_name: string }>()((query, value) =>
  query.selectFrom('file').selectAll().where('stored_name', '=', value.stored_name),
);
const insert = statement<{
  stored_name: string;
  place: string;
  uploader_id: number;
  name: string;
  size: number;
  type: string;
  created: number;
}>()((query, value) =>
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
    })
    .onConflict((conflict) => conflict.column('stored_name').doNothing()),
);
const selectMessages = statement<{ stored_name: string; most: number }>()((query, value) =>
  query
    .selectFrom('file_message')
    .selectAll()
    .where('stored_name', '=', value.stored_name)
    .orderBy('message_id', 'desc')
    .limit(value.most),
);
const insertMessage = statement<{ stored_name: string; message_id: number; stream_id: number | null }>()(
  (query, value) =>
    query
      .insertInto('file_message')
      .values({ stored_name: value.stored_name, message_id: value.message_id, stream_id: value.stream_id })
      .onConflict((conflict) =>
        conflict.columns(['stored_name', 'message_id']).doUpdateSet({ stream_id: value.stream_id }),
      ),
);

export const files = {
  find: (reader: Reader, storedName: string): FileRow | undefined => reader.get(select, { stored_name: storedName }),
  /** @returns false when the stored name is taken. */
  insert: (tx: Transaction, file: FileRow): boolean => tx.run(insert, { ...file }) === 1,
  /** Where it was sent, the newest first. */
  messages: (reader: Reader, storedName: string, most: number): FileMessageRow[] =>
    reader.all(selectMessages, { stored_name: storedName, most }),
  insertMessage: (tx: Transaction, bound: FileMessageRow) => tx.run(insertMessage, { ...bound }),
};
