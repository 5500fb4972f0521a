import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { messages } from '../messages/store.ts';
import { type MembershipRow, conversations } from '../conversations/store.ts';
import { peersChanged } from './events.ts';

/**
 * A user goes who may come back: they keep their subscriptions, and no one sees them among the subscribers. Each of
 * their stays is divided here, so that on their return the second can begin where they are back: what was said in
 * between was not sent to them.
 */
export function interruptStays(tx: Transaction, log: EventLog, userId: number): void {
  for (const stay of conversations.currentStays(tx, userId)) {
    const told = tellPeers(tx, log, stay, 'peer_remove');
    conversations.divideStay(tx, stay, told, messages.newestId(tx, stay.conversation_id));
  }
}

/** They are back, where they were when they went. */
export function resumeStays(tx: Transaction, log: EventLog, userId: number): void {
  for (const stay of conversations.currentStays(tx, userId)) {
    const told = tellPeers(tx, log, stay, 'peer_add');
    conversations.moveBeginning(tx, stay, told, messages.newestId(tx, stay.conversation_id));
  }
}

/** @returns the newest event. Nothing tells who takes part in a direct conversation: that never changes. */
function tellPeers(tx: Transaction, log: EventLog, stay: MembershipRow, op: 'peer_add' | 'peer_remove'): number {
  const stream = conversations.stream(tx, stay.conversation_id);
  return stream ? log.append(tx, peersChanged(stream, op, [{ id: stay.user_id }])) : log.bounds(tx).newest;
}
