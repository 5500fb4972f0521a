import type { Reader } from '../database/index.ts';
import { perBatch, remembered } from '../events/batch.ts';
import { type Period, memberships } from './memberships.ts';

const none: readonly never[] = [];
/** Conversations that are looked up one by one. After these, all conversations of a single member are looked up at once. */
const fewConversations = 5;

/** Looks up the memberships of some users at once. The work grows with them, or with the conversation where that is smaller. */
export class MembershipLookups {
  readonly #reader: Reader;
  readonly #userIds: readonly number[];
  readonly #periods = new Map<number, ReadonlyMap<number, readonly Period[]>>();
  #ownPeriods: ReadonlyMap<number, readonly Period[]> | undefined;

  constructor(reader: Reader, userIds: readonly number[]) {
    this.#reader = reader;
    this.#userIds = userIds;
  }

  periods(conversationId: number, userId: number): readonly Period[] {
    const own = this.#periodsOfOne(conversationId, userId);
    return (own ? own.get(conversationId) : this.periodsIn(conversationId).get(userId)) ?? none;
  }

  #periodsOfOne(conversationId: number, userId: number): ReadonlyMap<number, readonly Period[]> | undefined {
    const isSingle = this.#userIds.length === 1 && this.#userIds[0] === userId;
    if (!isSingle || this.#periods.size < fewConversations || this.#periods.has(conversationId)) return undefined;
    this.#ownPeriods ??= Map.groupBy(memberships.periodsOfUser(this.#reader, userId), (row) => row.conversation_id);
    return this.#ownPeriods;
  }

  /** The periods in a conversation by user, at least of the users. */
  periodsIn(conversationId: number): ReadonlyMap<number, readonly Period[]> {
    return remembered(this.#periods, conversationId, () => {
      const rows = memberships.periodsOf(this.#reader, conversationId, this.#userIds);
      return Map.groupBy(rows, ({ user_id }) => user_id);
    });
  }
}

export const membershipLookups = perBatch((batch) => new MembershipLookups(batch.reader, batch.userIds));
