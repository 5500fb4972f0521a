import { periodsIn, periodsOfUsers } from '../conversations/lookups.ts';
import { type DeliveryBatch, perBatch, remembered } from '../events/batch.ts';
import { type IsRead, messageFlags, readStates } from './store.ts';
import { type Flagged, flagsOf } from './unread.ts';

const readsByConversation = perBatch(() => new Map<number, IsRead>());
/** The flags of a single member for a range of message ids. */
interface BitsOfRange {
  readonly first: number;
  readonly last: number;
  readonly bits: ReadonlyMap<number, number>;
}

const flagsPerQuery = 100;
const bitsOfRange = perBatch((): { range?: BitsOfRange } => ({}));
const bitsByMessage = perBatch(() => new Map<number, ReadonlyMap<number, number>>());

/** @returns the flags of a message by user of the batch. */
export function flagsInBatch(batch: DeliveryBatch, message: Flagged): (userId: number) => readonly string[] {
  const { id, conversation_id: conversationId } = message;
  const periods = periodsOfUsers(batch, conversationId);
  const isRead = readsIn(batch, conversationId);
  const bits = flagBitsIn(batch, id);
  return (userId) => flagsOf(message, periods(userId), isRead(userId, id), bits(userId));
}

/** Only for users with a past or present membership of the conversation: others have read nothing in it. */
export function readsIn(batch: DeliveryBatch, conversationId: number): IsRead {
  return remembered(readsByConversation(batch), conversationId, () =>
    readStates.readsOf(
      batch.reader,
      conversationId,
      batch.userIds.length === 1 ? batch.userIds : [...periodsIn(batch, conversationId).keys()],
    ),
  );
}

export function flagBitsIn(batch: DeliveryBatch, messageId: number): (userId: number) => number {
  const { reader, userIds } = batch;
  if (userIds.length === 1) return (userId) => bitsAround(batch, messageId, userId).bits.get(messageId) ?? 0;
  const bits = remembered(bitsByMessage(batch), messageId, () => messageFlags.bitsOf(reader, messageId, userIds));
  return (userId) => bits.get(userId) ?? 0;
}

/** The messages of later events usually have higher ids, so one query reads the flags of many. */
function bitsAround(batch: DeliveryBatch, messageId: number, userId: number): BitsOfRange {
  const known = bitsOfRange(batch);
  if (known.range && known.range.first <= messageId && messageId <= known.range.last) return known.range;
  const rows = messageFlags.bitsFrom(batch.reader, userId, messageId, flagsPerQuery);
  const last = rows.length < flagsPerQuery ? Number.MAX_SAFE_INTEGER : (rows.at(-1)?.message_id ?? messageId);
  return (known.range = { first: messageId, last, bits: new Map(rows.map(({ message_id, bits }) => [message_id, bits])) });
}
