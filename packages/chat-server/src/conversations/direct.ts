import { maxRecentDirectConversations } from '@engawa/protocol';
import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Groups } from '../identity/groups.ts';
import { viewerOf } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import { Visibility, requireGroupConsent } from '../privacy/visibility.ts';
import { memberships } from './memberships.ts';
import { publishSightGained } from './sightChanges.ts';
import { conversations } from './store.ts';

export function directConversation(tx: Transaction, log: EventLog, participants: readonly number[]): number {
  return conversations.directOf(tx, participants) ?? createDirect(tx, log, participants);
}

function createDirect(tx: Transaction, log: EventLog, participants: readonly number[]): number {
  const conversationId = conversations.insertDirect(tx, participants);
  const members = users.byIds(tx, participants).map(viewerOf);
  publishSightGained(tx, log, conversationId, members);
  // Clients learn of a direct conversation by its first message event, so the memberships must begin before that event.
  const { newest } = log.bounds(tx);
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

/** A new direct conversation of three or more users needs their consent. @throws ChatError as `requireGroupConsent`. */
export function requireDirectConsent(reader: Reader, groups: Groups, caller: Viewer, participants: readonly number[]): void {
  if (participants.length <= 2 || conversations.directOf(reader, participants) !== undefined) return;
  requireGroupConsent(new Visibility(reader, groups), caller, participants);
}

export function recentDirects(reader: Reader, userId: number) {
  return conversations.recentDirects(reader, userId, maxRecentDirectConversations).map(({ participants, newest }) => ({
    max_message_id: newest,
    user_ids: participants.filter((id) => id !== userId),
  }));
}
