import { type DeliveryBatch, perBatch, perMemberships, remembered } from '../events/batch.ts';
import { type Period, memberships } from './memberships.ts';

/** For a single member, this many conversations are looked up one by one; beyond it, one query loads all of the member. */
const fewConversations = 5;

/** The periods of a conversation by user id, or of a user by conversation. */
type Periods = ReadonlyMap<number, readonly Period[]>;

/** Entries of each of the two caches, some 20 MB. */
const mostRemembered = 100_000;

class RememberedPeriods {
  readonly #byId = new Map<number, Periods>();
  #count = 0;

  of(id: number): Periods | undefined {
    return this.#byId.get(id);
  }

  add(id: number, periods: Periods): Periods {
    if (this.#count + periods.size > mostRemembered) {
      this.#byId.clear();
      this.#count = 0;
    }
    this.#byId.set(id, periods);
    this.#count += periods.size;
    return periods;
  }
}

/** Of conversations whose periods are all known. */
const rememberedPeriods = perMemberships(() => new RememberedPeriods());
/** Of users whose periods are all known, by conversation. */
const rememberedOfUsers = perMemberships(() => new RememberedPeriods());
const periodsByConversation = perBatch(() => new Map<number, Periods>());
const periodsOfMembers = perBatch((): { all?: Periods } => ({}));

/** By conversation. The batch must be of a single member. */
function allPeriods(batch: DeliveryBatch): Periods {
  const [userId = 0] = batch.userIds;
  return (periodsOfMembers(batch).all ??=
    rememberedOfUsers(batch).of(userId) ??
    rememberedOfUsers(batch).add(
      userId,
      Map.groupBy(memberships.periodsOfUser(batch.reader, userId), ({ conversation_id }) => conversation_id),
    ));
}

/** The conversations in which the single member of a batch is or was. */
export function conversationsOf(batch: DeliveryBatch): Iterable<number> {
  return allPeriods(batch).keys();
}

/** Periods by user id, at least of the batch's users. The work grows with these users, or with a smaller conversation. */
export function periodsIn(batch: DeliveryBatch, conversationId: number): Periods {
  const known = rememberedPeriods(batch).of(conversationId);
  if (known) return known;
  return remembered(periodsByConversation(batch), conversationId, () => {
    const { reader, userIds } = batch;
    const all = userIds.length > 1 ? memberships.allPeriods(reader, conversationId, 2 * userIds.length) : undefined;
    const periods = Map.groupBy(all ?? memberships.periodsOf(reader, conversationId, userIds), ({ user_id }) => user_id);
    if (all) rememberedPeriods(batch).add(conversationId, periods);
    return periods;
  });
}

/** The users of the batch who are or were in the conversation; 'all' if it has had at most twice as many members as the batch has. */
export function membersAmong(batch: DeliveryBatch, conversationId: number): readonly number[] | 'all' {
  const { userIds } = batch;
  const periods = periodsIn(batch, conversationId);
  const all = rememberedPeriods(batch).of(conversationId);
  return all && all.size <= 2 * userIds.length ? 'all' : userIds.filter((id) => periods.has(id));
}

/** The membership periods of a user in a conversation, the oldest first. The batch must contain the user. */
export function periodsOf(batch: DeliveryBatch, conversationId: number, userId: number): readonly Period[] {
  return periodsOfUsers(batch, conversationId)(userId);
}

/** Like `periodsOf`, for several users. */
export function periodsOfUsers(batch: DeliveryBatch, conversationId: number): (userId: number) => readonly Period[] {
  const periods = isLoaded(batch, conversationId) ? undefined : periodsIn(batch, conversationId);
  if (periods) return (userId) => periods.get(userId) ?? none;
  const own = allPeriods(batch).get(conversationId) ?? none;
  return (userId) => (userId === batch.userIds[0] ? own : none);
}

const none: readonly Period[] = [];

/** Whether the periods of a single member are, or should be, loaded for all conversations at once. */
function isLoaded(batch: DeliveryBatch, conversationId: number): boolean {
  if (batch.userIds.length !== 1 || rememberedPeriods(batch).of(conversationId)) return false;
  const known = periodsByConversation(batch);
  return periodsOfMembers(batch).all !== undefined || (known.size >= fewConversations && !known.has(conversationId));
}
