import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { broughtBack } from './events.ts';
import { memberships } from '../conversations/memberships.ts';

/**
 * R2.11.3: whom a message calls has its stream back who had put it away; its sender knows of it. The work is that of
 * those who have put it away and are called: one statement and one event for all of them.
 */
export function bringBack(
  tx: Transaction,
  log: EventLog,
  conversationId: number,
  senderId: number,
  called: readonly number[] | 'all',
): void {
  if (called.length === 0) return;
  const back = memberships.restorePutAway(tx, conversationId, senderId, called === 'all' ? null : called);
  if (back.length > 0) log.append(tx, broughtBack(conversationId, back));
}
