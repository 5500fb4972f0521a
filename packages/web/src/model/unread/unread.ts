import type { ConversationKey } from '../streams/conversation.ts';

export type Unread = ReadonlyMap<ConversationKey, ReadonlySet<number>>;

const none: ReadonlySet<number> = new Set();

export function unreadIn(unread: Unread, conversation: ConversationKey): ReadonlySet<number> {
  return unread.get(conversation) ?? none;
}

/** A message that is being marked as read does not count as unread. */
export function isUnread(
  { unread, reading }: { readonly unread: Unread; readonly reading: ReadonlySet<number> },
  conversation: ConversationKey,
  messageId: number,
): boolean {
  return unreadIn(unread, conversation).has(messageId) && !reading.has(messageId);
}

/** The number of unread messages, without the excluded ones, for example those that are being marked as read. */
export function countUnread(unread: Unread, excluded: ReadonlySet<number>, conversation: ConversationKey): number {
  const ids = unreadIn(unread, conversation);
  return excluded.size === 0 ? ids.size : ids.difference(excluded).size;
}

export function firstUnread(unread: Unread, reading: ReadonlySet<number>, conversation: ConversationKey): number | undefined {
  const ids = unreadIn(unread, conversation).difference(reading);
  return ids.size === 0 ? undefined : ids.values().reduce((one, other) => Math.min(one, other));
}

export function withUnread(unread: Unread, conversation: ConversationKey, ids: readonly number[]): Unread {
  return new Map(unread).set(conversation, unreadIn(unread, conversation).union(new Set(ids)));
}

export function withoutUnread(unread: Unread, ids: readonly number[]): Unread {
  const gone = new Set(ids);
  const rest = new Map(unread);
  for (const [conversation, unreadIds] of unread) {
    if (!unreadIds.isDisjointFrom(gone)) rest.set(conversation, unreadIds.difference(gone));
  }
  return rest;
}
