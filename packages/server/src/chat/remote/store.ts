import type { Columns, Value } from '@engawa/chat-server/database';
import { type Schema, queries } from '../../database/schema.ts';

export const sentFileRows = {
  /** The newest of one sender. */
  messagesOf: queries.rows((query, storedName: Value<string>, senderId: Value<number>, most: Value<number>) =>
    query
      .selectFrom('sent_file')
      .select(['message_id', 'content'])
      .where('stored_name', '=', storedName)
      .where('sender_id', '=', senderId)
      .orderBy('message_id', 'desc')
      .limit(most),
  ),
  note: queries.run((query, row: Columns<Schema['sent_file']>) =>
    query
      .insertInto('sent_file')
      .values({ stored_name: row.stored_name, message_id: row.message_id, sender_id: row.sender_id, content: row.content })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  remove: queries.run((query, storedName: Value<string>, messageId: Value<number>) =>
    query.deleteFrom('sent_file').where('stored_name', '=', storedName).where('message_id', '=', messageId),
  ),
};

/** The Zulip server whose ids are in the database. */
export const zulipSite = {
  get: queries.value((query) => query.selectFrom('zulip_site').select('address')),
  put: queries.run((query, address: Value<string>) =>
    query
      .insertInto('zulip_site')
      .values({ id: 1, address })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ address })),
  ),
};
