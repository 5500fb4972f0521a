import { type DeliveryBatch, perBatch, remembered } from '../events/batch.ts';
import { type Period, memberships } from './memberships.ts';

/** Conversations that are looked up one by one. After these, all conversations of a single member are looked up at once. */
const fewConversations = 5;

const periodsByConversation = perBatch(() => new Map<number, ReadonlyMap<number, readonly Period[]>>());
const periodsOfMembers = perBatch(({ reader, userIds }) => {
  const rows = userIds.flatMap((id) => memberships.periodsOfUser(reader, id));
  return Map.groupBy(rows, ({ conversation_id }) => conversation_id);
});

/** Periods by user, at least for the users of the batch. The work grows with them, or with the conversation if smaller. */
export function periodsIn(batch: DeliveryBatch, conversationId: number): ReadonlyMap<number, readonly Period[]> {
  return remembered(periodsByConversation(batch), conversationId, () => {
    const rows = memberships.periodsOf(batch.reader, conversationId, batch.userIds);
    return Map.groupBy(rows, ({ user_id }) => user_id);
  });
}

/** The membership periods of a user of the batch in a conversation, the oldest first. */
export function periodsOf(batch: DeliveryBatch, conversationId: number, userId: number): readonly Period[] {
  const known = periodsByConversation(batch);
  const isSingle = batch.userIds.length === 1 && batch.userIds[0] === userId;
  const all = isSingle && known.size >= fewConversations && !known.has(conversationId) ? periodsOfMembers(batch) : undefined;
  return (all ? all.get(conversationId) : periodsIn(batch, conversationId).get(userId)) ?? [];
}
