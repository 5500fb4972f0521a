import { membersAmong, periodsOf, periodsOfUsers } from '../conversations/lookups.ts';
import { type DeliveryBatch, perBatch, remembered } from '../events/batch.ts';
import { type OwnRanges, ownMessages } from './ownMessages.ts';
import { type InRanges, type IsRead, isReadBy, messageFlags, readStates } from './store.ts';
import { type Flagged, flagsOf, flagsOfAll, hasReadAll } from './unread.ts';

const readsByConversation = perBatch(() => new Map<number, InRanges>());
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
  const bits = flagBits(batch);
  return (userId) => flagsOf(message, periods(userId), isRead(userId, message), bits(id, userId));
}

/** Messages of one conversation. */
export interface Stretch {
  readonly conversationId: number;
  readonly firstMessage: number;
  readonly lastMessage: number;
}

/**
 * The flags that all messages of each stretch have alike for a member of the batch, apart from what belongs to a message: its
 * `flagBits`, a mention of everyone, and that the member sent it. Undefined if they differ.
 */
export function flagsOfStretches(
  batch: DeliveryBatch,
  userId: number,
  stretches: readonly Stretch[],
): (readonly string[] | undefined)[] {
  const reads = readsByConversation(batch);
  if (batch.userIds.length === 1) {
    const missing = stretches.map(({ conversationId }) => conversationId).filter((id) => !reads.has(id));
    for (const [id, inRanges] of readStates.rangesOfUser(batch.reader, userId, missing)) reads.set(id, inRanges);
  }
  let own: OwnRanges | undefined;
  return stretches.map(({ conversationId, firstMessage, lastMessage }) => {
    const inRanges = rangesIn(batch, conversationId)(userId, firstMessage, lastMessage);
    const span = { after: firstMessage - 1, upTo: lastMessage };
    // The ranges of a member who reads everything may lack only what they sent.
    const areRead =
      inRanges ??
      (hasReadAll(batch.reader, userId, conversationId, span, (own ??= ownMessages.recent(batch.reader, userId))) || undefined);
    return areRead === undefined
      ? undefined
      : flagsOfAll(firstMessage, lastMessage, periodsOf(batch, conversationId, userId), areRead);
  });
}

/** Only for users with a past or present membership of the conversation: others have read nothing in it. */
export function readsIn(batch: DeliveryBatch, conversationId: number): IsRead {
  return isReadBy(rangesIn(batch, conversationId));
}

function rangesIn(batch: DeliveryBatch, conversationId: number): InRanges {
  const { reader, userIds } = batch;
  return remembered(readsByConversation(batch), conversationId, () =>
    readStates.rangesOf(reader, conversationId, userIds.length === 1 ? userIds : membersAmong(batch, conversationId)),
  );
}

/** The flags that rows store for a message and a user of the batch. */
export function flagBits(batch: DeliveryBatch): (messageId: number, userId: number) => number {
  const { reader, userIds } = batch;
  if (userIds.length === 1) return flagBitsOfMember(batch);
  const known = bitsByMessage(batch);
  const bitsOf = (id: number) => remembered(known, id, () => messageFlags.bitsOf(reader, id, userIds));
  // Most messages are known, and `bitsOf` makes a function for each message and user.
  return (id, userId) => (known.get(id) ?? bitsOf(id)).get(userId) ?? 0;
}

/** The messages of later events usually have higher ids, so one query reads the flags of many. */
function flagBitsOfMember(batch: DeliveryBatch): (messageId: number) => number {
  const known = bitsOfRange(batch);
  const [userId = 0] = batch.userIds;
  return (messageId) => {
    if (!known.range || messageId < known.range.first || messageId > known.range.last) {
      const rows = messageFlags.bitsFrom(batch.reader, userId, messageId, flagsPerQuery);
      const last = rows.length < flagsPerQuery ? Number.MAX_SAFE_INTEGER : (rows.at(-1)?.message_id ?? messageId);
      known.range = { first: messageId, last, bits: new Map(rows.map(({ message_id, bits }) => [message_id, bits])) };
    }
    return known.range.bits.get(messageId) ?? 0;
  };
}
