import { memberships } from '../conversations/memberships.ts';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { putAwayRestored } from './events.ts';

/**
 * Returns a stream to the lists of mentioned members who had put it away (R2.11.3), except to the sender's. One
 * statement and one event serve all of them.
 */
export function restorePutAway(
  tx: Transaction,
  log: EventLog,
  conversationId: number,
  senderId: number,
  mentioned: readonly number[] | 'all',
): void {
  if (mentioned.length === 0) return;
  const userIds = memberships.restorePutAway(tx, conversationId, senderId, mentioned === 'all' ? null : mentioned);
  if (userIds.length > 0) log.append(tx, putAwayRestored(conversationId, userIds));
}
