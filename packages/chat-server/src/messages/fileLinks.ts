import { uploadsLinkedIn } from '@engawa/protocol';
import type { Transaction, Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import type { MessageRow } from './store.ts';

const insert = queries.run((query, stored_name: Value<string>, sender_id: Value<number>, message_id: Value<number>) =>
  query.insertInto('file_link').values({ stored_name, sender_id, message_id }),
);
const deleteOf = queries.run((query, messageId: Value<number>) =>
  query.deleteFrom('file_link').where('message_id', '=', messageId),
);

/** The messages that link to uploads. A link counts only in a message of the member who uploaded the file. */
export const fileLinks = {
  /** Call it when a message is sent or its content changes. */
  put(tx: Transaction, { id, sender_id, content }: Pick<MessageRow, 'id' | 'sender_id' | 'content'>): void {
    for (const storedName of uploadsLinkedIn(content)) insert(tx, storedName, sender_id, id);
  },
  deleteOf,
  /** The newest ones. */
  messages: queries.rows((query, senderId: Value<number>, storedName: Value<string>, most: Value<number>) =>
    query
      .selectFrom('file_link')
      .innerJoin('message', 'message.id', 'file_link.message_id')
      .select(['message.id', 'message.conversation_id', 'message.sender_id', 'message.content', 'message.timestamp'])
      .where('file_link.sender_id', '=', senderId)
      .where('file_link.stored_name', '=', storedName)
      .orderBy('file_link.message_id', 'desc')
      .limit(most),
  ),
};
