/** Stores the conversation that the member keeps unread, so that it stays unread after a reload of the tab. */
import { unsentPrefix, type UnsentStorage } from '../browserStorage.ts';
import type { Store } from '../store.ts';
import { conversationIn, type ConversationKey } from '../streams/conversation.ts';
import type { UnreadState } from './state.ts';

const keyOf = (userId: number | undefined): string => `${unsentPrefix}${userId}:unread`;

const selectKeptUnread = ({ keptUnread }: UnreadState) => keptUnread;

export function storedKeptUnread(storage: UnsentStorage | undefined, userId: number | undefined): ConversationKey | undefined {
  return conversationIn(storage?.getItem(keyOf(userId)) ?? '');
}

export function storeKeptUnread(storage: UnsentStorage | undefined, store: Store<UnreadState>): void {
  store.watch(selectKeptUnread, () => {
    const { keptUnread, memberId } = store.state();
    try {
      if (keptUnread === undefined) storage?.removeItem(keyOf(memberId));
      else storage?.setItem(keyOf(memberId), String(keptUnread));
    } catch {
      // If the storage is full or forbidden, the conversation stays unread until the page is closed.
    }
  });
}
