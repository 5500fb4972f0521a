import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { conversations } from './store.ts';
import { memberships } from './memberships.ts';

/** The direct conversation of these users; with their first message it is made. Bounded by `maxDirectParticipants`. */
export function directConversation(tx: Transaction, log: EventLog, participants: readonly number[]): number {
  return conversations.directOf(tx, participants) ?? begin(tx, log, participants);
}

function begin(tx: Transaction, log: EventLog, participants: readonly number[]): number {
  const conversationId = conversations.insertDirect(tx, participants);
  // Nothing tells of a direct conversation but its first message: the stays begin before that.
  const newest = log.bounds(tx).newest;
  for (const userId of participants) {
    memberships.insert(tx, {
      conversation_id: conversationId,
      user_id: userId,
      began_event: newest,
      began_message: 0,
      color: '',
    });
  }
  return conversationId;
}
