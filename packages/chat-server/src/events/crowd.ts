import { type Period, memberships } from '../conversations/memberships.ts';
import type { Reader } from '../database/index.ts';
import { type ReadRanges, parseRanges } from '../reading/ranges.ts';
import { messageFlags, readStates } from '../reading/store.ts';

const none: readonly never[] = [];
/** Conversations of which each is looked up by itself. Whoever asks alone about more has all of their own looked up. */
const fewConversations = 5;

/**
 * What those who are told of a commit have to do with its conversations and messages, looked up once for all of them.
 * The work grows with them, or with the audience where that is smaller.
 */
export class Crowd {
  readonly #reader: Reader;
  readonly #userIds: readonly number[];
  readonly #stays = new Map<number, ReadonlyMap<number, readonly Period[]>>();
  /** By conversation, of one who asks alone about many. */
  #ownStays: ReadonlyMap<number, readonly Period[]> | undefined;
  readonly #ranges = new Map<number, ReadonlyMap<number, string>>();
  readonly #bits = new Map<number, ReadonlyMap<number, number>>();

  /** @param userIds who may be asked about. */
  constructor(reader: Reader, userIds: readonly number[]) {
    this.#reader = reader;
    this.#userIds = userIds;
  }

  /** Every stay of a user in a conversation, the oldest first. */
  stays(conversationId: number, userId: number): readonly Period[] {
    const own = this.#staysOfOne(conversationId, userId);
    return (own ? own.get(conversationId) : this.staysIn(conversationId).get(userId)) ?? none;
  }

  #staysOfOne(conversationId: number, userId: number): ReadonlyMap<number, readonly Period[]> | undefined {
    const isAlone = this.#userIds.length === 1 && this.#userIds[0] === userId;
    if (!isAlone || this.#stays.size < fewConversations || this.#stays.has(conversationId)) return undefined;
    this.#ownStays ??= Map.groupBy(memberships.periodsOfUser(this.#reader, userId), (stay) => stay.conversation_id);
    return this.#ownStays;
  }

  /** The same by user, of those at least who may be asked about. */
  staysIn(conversationId: number): ReadonlyMap<number, readonly Period[]> {
    return remembered(this.#stays, conversationId, () => {
      const rows = memberships.periodsOf(this.#reader, conversationId, this.#userIds);
      return Map.groupBy(rows, ({ user_id }) => user_id);
    });
  }

  /** What a user who has been in a conversation has read of it; to all others it is history. */
  readRanges(conversationId: number, userId: number): ReadRanges {
    const all = remembered(this.#ranges, conversationId, () => {
      return readStates.writtenOf(this.#reader, conversationId, [...this.staysIn(conversationId).keys()]);
    });
    const written = all.get(userId);
    return written === undefined ? none : parseRanges(written);
  }

  /** The `flagBits` of a user on a message. */
  bits(messageId: number, userId: number): number {
    const all = remembered(this.#bits, messageId, () => messageFlags.bitsOf(this.#reader, messageId, this.#userIds));
    return all.get(userId) ?? 0;
  }
}

function remembered<Key, Found>(known: Map<Key, Found>, key: Key, find: () => Found): Found {
  let found = known.get(key);
  if (found === undefined) {
    found = find();
    known.set(key, found);
  }
  return found;
}
