import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { messages } from '../messages/store.ts';
import { conversations } from './store.ts';

/** The chat API's default palette: a member's next subscription takes the first colour that is not yet used. */
const palette =
  '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5'.split(' ');

/** Begins a stay of each user who has none. The work grows with the number of users that are named. */
export function subscribe(tx: Transaction, log: EventLog, conversationId: number, userIds: readonly number[]): void {
  const newcomers = userIds.filter((userId) => !isMember(tx, conversationId, userId));
  if (newcomers.length === 0) return;
  for (const userId of newcomers) {
    log.append(tx, { type: 'subscription', reach: 'self', reachId: userId, payload: { op: 'add', conversationId } });
  }
  const told = log.append(tx, {
    type: 'subscription',
    reach: 'members',
    reachId: conversationId,
    payload: { op: 'peer_add', stream_ids: [conversationId], user_ids: newcomers },
  });
  const newest = messages.newestId(tx, conversationId);
  for (const userId of newcomers) {
    // The stay begins after the events that tell of it, so that newcomers are not told of themselves as of others.
    conversations.insertStay(tx, {
      conversation_id: conversationId,
      user_id: userId,
      began_event: told,
      began_message: newest,
      color: unusedColor(tx, userId),
    });
  }
}

function isMember(tx: Transaction, conversationId: number, userId: number): boolean {
  return conversations.stays(tx, conversationId, userId).some((stay) => stay.ended_event === null);
}

function unusedColor(tx: Transaction, userId: number): string {
  const current = conversations.currentStays(tx, userId);
  const used = new Set(current.map((stay) => stay.color));
  return palette.find((color) => !used.has(color)) ?? palette[current.length % palette.length] ?? '#76ce90';
}
