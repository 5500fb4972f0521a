import { uploadsLinkedIn } from '@engawa/protocol';
import type { Reader, Transaction, Value } from '../database/index.ts';
import { queries } from '../schema.ts';
import { type MessageRow, messages } from './store.ts';

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

/** The newest messages of a sender that have a file, or link to it. The caller must parse them to be sure. */
export function messagesOfFile(reader: Reader, senderId: number, storedName: string, most: number) {
  const found = [messages.ofFile, fileLinks.messages].flatMap((find) => find(reader, senderId, storedName, most));
  // The name in a file message can be a link to the same file.
  const each = new Map(found.map((message) => [message.id, message]));
  return [...each.values()].toSorted((one, other) => other.id - one.id).slice(0, most);
}
