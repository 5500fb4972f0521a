import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { type MembershipRow, memberships } from '../conversations/memberships.ts';
import { peersChanged } from './events.ts';
import { streams } from '../conversations/streams.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';

/**
 * A user goes who may come back: they keep their subscriptions, and no one sees them among the subscribers. Each of
 * their stays is divided here, so that on their return the second can begin where they are back: what was said in
 * between was not sent to them.
 */
export function interruptStays(tx: Transaction, log: EventLog, userId: number): void {
  for (const stay of memberships.currentOf(tx, userId)) {
    const told = tellPeers(tx, log, stay, 'peer_remove');
    memberships.divide(tx, stay, told, messageHeaders.newestId(tx, stay.conversation_id));
  }
}

/** They are back, where they were when they went. */
export function resumeStays(tx: Transaction, log: EventLog, userId: number): void {
  for (const stay of memberships.currentOf(tx, userId)) {
    const told = tellPeers(tx, log, stay, 'peer_add');
    memberships.moveBeginning(tx, stay.id, told, messageHeaders.newestId(tx, stay.conversation_id));
  }
}

/** @returns the newest event. Nothing tells who takes part in a direct conversation: that never changes. */
function tellPeers(tx: Transaction, log: EventLog, stay: MembershipRow, op: 'peer_add' | 'peer_remove'): number {
  const stream = streams.byId(tx, stay.conversation_id);
  return stream ? log.append(tx, peersChanged(stream, op, [{ id: stay.user_id }])) : log.bounds(tx).newest;
}
