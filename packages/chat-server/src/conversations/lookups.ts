import { type DeliveryBatch, perBatch, remembered } from '../events/batch.ts';
import { type Period, memberships } from './memberships.ts';

/** For a single member, this many conversations are looked up one by one; beyond it, one query loads all of the member. */
const fewConversations = 5;

const periodsByConversation = perBatch(() => new Map<number, ReadonlyMap<number, readonly Period[]>>());
const periodsOfMembers = perBatch((): { all?: ReadonlyMap<number, readonly Period[]> } => ({}));

/** By conversation. The batch must be of a single member. */
function allPeriods(batch: DeliveryBatch): ReadonlyMap<number, readonly Period[]> {
  return (periodsOfMembers(batch).all ??= Map.groupBy(
    batch.userIds.flatMap((id) => memberships.periodsOfUser(batch.reader, id)),
    ({ conversation_id }) => conversation_id,
  ));
}

/** The conversations in which the single member of a batch is or was. */
export function conversationsOf(batch: DeliveryBatch): Iterable<number> {
  return allPeriods(batch).keys();
}

/** Periods by user id, at least of the batch's users. The work grows with these users, or with a smaller conversation. */
export function periodsIn(batch: DeliveryBatch, conversationId: number): ReadonlyMap<number, readonly Period[]> {
  return remembered(periodsByConversation(batch), conversationId, () => {
    const rows = memberships.periodsOf(batch.reader, conversationId, batch.userIds);
    return Map.groupBy(rows, ({ user_id }) => user_id);
  });
}

/** The membership periods of a user in a conversation, the oldest first. The batch must contain the user. */
export function periodsOf(batch: DeliveryBatch, conversationId: number, userId: number): readonly Period[] {
  const known = periodsByConversation(batch);
  const isSingle = batch.userIds.length === 1 && batch.userIds[0] === userId;
  const isLoaded = periodsOfMembers(batch).all !== undefined || (known.size >= fewConversations && !known.has(conversationId));
  const all = isSingle && isLoaded ? allPeriods(batch) : undefined;
  return (all ? all.get(conversationId) : periodsIn(batch, conversationId).get(userId)) ?? [];
}
