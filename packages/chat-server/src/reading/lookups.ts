import { periodsIn, periodsOf } from '../conversations/lookups.ts';
import { type DeliveryBatch, perBatch, remembered } from '../events/batch.ts';
import { type ReadRanges, parseRanges } from './ranges.ts';
import { messageFlags, readStates } from './store.ts';
import { type Flagged, flagsOf } from './unread.ts';

const rangesByConversation = perBatch(() => new Map<number, ReadonlyMap<number, string>>());
const bitsByMessage = perBatch(() => new Map<number, ReadonlyMap<number, number>>());

export function flagsInBatch(batch: DeliveryBatch, message: Flagged, userId: number): string[] {
  const { id, conversation_id: conversationId } = message;
  const periods = periodsOf(batch, conversationId, userId);
  return flagsOf(message, periods, readRanges(batch, conversationId, userId), flagBitsOf(batch, id, userId));
}

/** Only for users with a past or present membership of the conversation: others have no read ranges in it. */
export function readRanges(batch: DeliveryBatch, conversationId: number, userId: number): ReadRanges {
  const written = remembered(rangesByConversation(batch), conversationId, () =>
    readStates.writtenOf(batch.reader, conversationId, [...periodsIn(batch, conversationId).keys()]),
  ).get(userId);
  return written === undefined ? [] : parseRanges(written);
}

export function flagBitsOf(batch: DeliveryBatch, messageId: number, userId: number): number {
  const { reader, userIds } = batch;
  return remembered(bitsByMessage(batch), messageId, () => messageFlags.bitsOf(reader, messageId, userIds)).get(userId) ?? 0;
}
