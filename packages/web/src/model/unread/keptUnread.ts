/** Stores which conversation the member keeps unread, through a reload of the tab. */
import { conversationIn, type ConversationKey } from '../streams/conversation.ts';
import { unsentPrefix, type UnsentStorage } from '../browserStorage.ts';

export interface KeptUnread {
  read(): ConversationKey | undefined;
  keep(conversation: ConversationKey | undefined): void;
}

export function keptUnreadIn(storage: UnsentStorage | undefined, userId: number | undefined): KeptUnread {
  const name = `${unsentPrefix}${userId}:unread`;
  return {
    read() {
      return conversationIn(storage?.getItem(name) ?? '');
    },

    keep(conversation) {
      try {
        if (conversation === undefined) storage?.removeItem(name);
        else storage?.setItem(name, String(conversation));
      } catch {
        // The storage is full or forbidden: the conversation stays unread as long as the page is open.
      }
    },
  };
}
