import { periodsIn, periodsOf } from '../conversations/lookups.ts';
import { type DeliveryBatch, perBatch, remembered } from '../events/batch.ts';
import { type IsRead, messageFlags, readStates } from './store.ts';
import { type Flagged, flagsOf } from './unread.ts';

const readsByConversation = perBatch(() => new Map<number, IsRead>());
const bitsByMessage = perBatch(() => new Map<number, ReadonlyMap<number, number>>());

export function flagsInBatch(batch: DeliveryBatch, message: Flagged, userId: number): string[] {
  const { id, conversation_id: conversationId } = message;
  const periods = periodsOf(batch, conversationId, userId);
  const isRead = readsIn(batch, conversationId)(userId, id);
  return flagsOf(message, periods, isRead, flagBitsOf(batch, id, userId));
}

/** Only for users with a past or present membership of the conversation: others have read nothing in it. */
export function readsIn(batch: DeliveryBatch, conversationId: number): IsRead {
  return remembered(readsByConversation(batch), conversationId, () =>
    readStates.readsOf(batch.reader, conversationId, [...periodsIn(batch, conversationId).keys()]),
  );
}

export function flagBitsOf(batch: DeliveryBatch, messageId: number, userId: number): number {
  const { reader, userIds } = batch;
  return remembered(bitsByMessage(batch), messageId, () => messageFlags.bitsOf(reader, messageId, userIds)).get(userId) ?? 0;
}
