import { type MembershipLookups, membershipLookups } from '../conversations/lookups.ts';
import type { MessageHeader } from '../conversations/messageHeaders.ts';
import type { Reader } from '../database/index.ts';
import { perBatch, remembered } from '../events/batch.ts';
import { type ReadRanges, parseRanges } from './ranges.ts';
import { messageFlags, readStates } from './store.ts';
import { flagsOf } from './unread.ts';

const none: ReadRanges = [];

/** The read ranges and flags of some users, looked up once for all of them. */
export class ReadingLookups {
  readonly #reader: Reader;
  readonly #userIds: readonly number[];
  readonly #memberships: MembershipLookups;
  readonly #ranges = new Map<number, ReadonlyMap<number, string>>();
  readonly #bits = new Map<number, ReadonlyMap<number, number>>();

  constructor(reader: Reader, userIds: readonly number[], memberships: MembershipLookups) {
    this.#reader = reader;
    this.#userIds = userIds;
    this.#memberships = memberships;
  }

  flags(message: Pick<MessageHeader, 'id' | 'conversation_id' | 'features'>, userId: number): string[] {
    const { id, conversation_id: conversationId } = message;
    const periods = this.#memberships.periods(conversationId, userId);
    return flagsOf(message, periods, this.readRanges(conversationId, userId), this.bits(id, userId));
  }

  /** Only for users who are or were members: for all others a conversation is history. */
  readRanges(conversationId: number, userId: number): ReadRanges {
    const written = remembered(this.#ranges, conversationId, () => {
      const members = [...this.#memberships.periodsIn(conversationId).keys()];
      return readStates.writtenOf(this.#reader, conversationId, members);
    }).get(userId);
    return written === undefined ? none : parseRanges(written);
  }

  bits(messageId: number, userId: number): number {
    const all = remembered(this.#bits, messageId, () => messageFlags.bitsOf(this.#reader, messageId, this.#userIds));
    return all.get(userId) ?? 0;
  }
}

export const readingLookups = perBatch((batch) => new ReadingLookups(batch.reader, batch.userIds, membershipLookups(batch)));
