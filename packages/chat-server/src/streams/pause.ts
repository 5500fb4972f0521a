import { type MembershipRow, memberships } from '../conversations/memberships.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';
import { streams } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { peersChanged } from './events.ts';

/**
 * A deactivated user keeps their memberships but is no subscriber. Each membership is split in two here, so that after a
 * reactivation its second part can begin later: messages in between were not sent to the user.
 */
export function pauseMemberships(tx: Transaction, log: EventLog, userId: number): void {
  for (const membership of memberships.currentOf(tx, userId)) {
    const event = publishPeer(tx, log, membership, 'peer_remove');
    memberships.divide(tx, membership, event, messageHeaders.newestId(tx, membership.conversation_id));
  }
}

export function resumeMemberships(tx: Transaction, log: EventLog, userId: number): void {
  for (const membership of memberships.currentOf(tx, userId)) {
    const event = publishPeer(tx, log, membership, 'peer_add');
    memberships.moveBeginning(tx, membership.id, event, messageHeaders.newestId(tx, membership.conversation_id));
  }
}

/** Publishes to the subscribers that a member joined or left. Direct conversations need no event. @returns the newest event id. */
function publishPeer(tx: Transaction, log: EventLog, membership: MembershipRow, op: 'peer_add' | 'peer_remove'): number {
  const stream = streams.byId(tx, membership.conversation_id);
  return stream ? log.append(tx, peersChanged(stream, op, [{ id: membership.user_id }])) : log.bounds(tx).newest;
}
