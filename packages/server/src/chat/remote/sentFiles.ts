import type { Database } from '@engawa/chat-server/database';
import type { SentFiles } from '../backend.ts';
import { sentFileRows } from './store.ts';

/** Zulip has no index of our file messages, so the product notes them. */
export function sentFilesIn(database: Database): SentFiles {
  return {
    messagesOfFile: (sender_id, storedName, most) =>
      sentFileRows
        .messagesOf(database.reader, storedName, sender_id, most)
        .map(({ message_id: id, content }) => ({ id, sender_id, content })),
    // Zulip answers scheduled messages only to their author, and the sweep acts for nobody.
    isFileScheduled: () => false,
    async expect({ sender_id, content }, stored_name) {
      await database.write((tx) => sentFileRows.note(tx, { stored_name, message_id: 0, sender_id, content }));
    },
    async note({ id, sender_id, content }, stored_name) {
      await database.write((tx) => {
        sentFileRows.note(tx, { stored_name, message_id: id, sender_id, content });
        sentFileRows.remove(tx, stored_name, 0);
      });
    },
  };
}
