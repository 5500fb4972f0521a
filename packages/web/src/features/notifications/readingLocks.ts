/** A tab holds a shared lock with the name of its visible conversation. The browser releases the locks of a closed tab. */
import type { ConversationKey } from '../../model/streams/conversation.ts';

const nameOf = (memberId: number, conversation: ConversationKey) => `engawa-reading member ${memberId} ${conversation}`;

export function lockReading(locks: LockManager, memberId: number, conversation: ConversationKey): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  void locks.request(nameOf(memberId, conversation), { mode: 'shared' }, () => promise);
  return resolve;
}

export async function lockedConversations(
  locks: LockManager,
  memberId: number,
): Promise<(conversation: ConversationKey) => boolean> {
  const { held = [] } = await locks.query();
  const names = new Set(held.map(({ name }) => name));
  return (conversation) => names.has(nameOf(memberId, conversation));
}
