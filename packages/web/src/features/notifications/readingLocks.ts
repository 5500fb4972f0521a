/**
 * Which conversations somebody looks at, in whichever tab of the browser. A tab that is looked at holds a shared lock by the
 * conversation's name: the browser tells who holds one, and gives up those of a tab that has gone, however it went.
 */
import type { ConversationKey } from '../../model/streams/conversation.ts';

const nameOf = (memberId: number, conversation: ConversationKey) => `engawa-reading member ${memberId} ${conversation}`;

/** @returns how to say that nobody looks any more. */
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
