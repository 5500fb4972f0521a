import { type Span, isOpenTo, receivedIn, within } from '../conversations/access.ts';
import { featureBits } from '../conversations/messageHeaders.ts';
import { streams } from '../conversations/streams.ts';
import type { Reader } from '../database/index.ts';
import { roleOf } from '../identity/member.ts';
import { type ReadRanges, includes } from '../reading/ranges.ts';
import { flagBits, isReadAsSender, readStates } from '../reading/store.ts';
import { flagMasks } from './format.ts';
import { type ExportedMessage, exported } from './store.ts';

interface MemberState {
  readonly userId: number;
  readonly received: readonly Span[];
  readonly ranges: ReadRanges;
}

type Bits = ReadonlyMap<number, number>;
type Header = Pick<ExportedMessage, 'id' | 'sender_id' | 'features' | 'read_by_sender'>;

interface UserMessage {
  readonly userId: number;
  readonly mask: number;
}

/**
 * The rows of `zerver_usermessage` in one conversation: a current member has one for each message that they received. Others who
 * may read a message have one only if they flagged it. A former member has none, because it would open files to them in Zulip.
 */
export class UserMessages {
  readonly #members: ReadonlyMap<number, MemberState>;
  readonly #readsHistory: (userId: number) => boolean;
  readonly #isDirect: boolean;

  /** @param roles of all users */
  constructor(
    reader: Reader,
    conversation: { readonly id: number; readonly shared_history: number },
    roles: ReadonlyMap<number, number>,
  ) {
    const stream = streams.byId(reader, conversation.id);
    this.#members = currentMembers(reader, conversation.id);
    this.#isDirect = stream === undefined;
    this.#readsHistory = (userId) => {
      const role = roles.get(userId);
      if (this.#members.has(userId)) return conversation.shared_history === 1;
      return role !== undefined && isOpenTo({ role: roleOf({ role }) }, stream);
    };
  }

  *of(message: Header, bits: Bits): Generator<UserMessage, void> {
    const others = new Set(bits.keys());
    for (const member of this.#members.values()) {
      if (!within(message.id, member.received)) continue;
      others.delete(member.userId);
      yield { userId: member.userId, mask: this.#receivedMask(message, member, bits.get(member.userId) ?? 0) };
    }
    for (const userId of others) {
      const mask = maskOf(bits.get(userId) ?? 0);
      if (this.#readsHistory(userId)) yield { userId, mask: mask | flagMasks.read | flagMasks.historical };
    }
  }

  #receivedMask(message: Header, { userId, ranges }: MemberState, bits: number): number {
    const { id, features } = message;
    return (
      maskOf(bits) |
      when(isReadAsSender(userId, message) || includes(ranges, id), flagMasks.read) |
      when((features & featureBits.mentionsAll) !== 0, flagMasks.stream_wildcard_mentioned) |
      when(this.#isDirect, flagMasks.is_private)
    );
  }
}

function currentMembers(reader: Reader, conversationId: number): ReadonlyMap<number, MemberState> {
  const periods = Map.groupBy(exported.periods(reader, conversationId), ({ user_id }) => user_id);
  const current = [...periods].filter(([, own]) => own.some(({ ended_event }) => ended_event === null));
  return new Map(
    current.map(([userId, own]) => {
      return [userId, { userId, received: receivedIn(own), ranges: readStates.ranges(reader, userId, conversationId) }];
    }),
  );
}

function maskOf(bits: number): number {
  return (
    when((bits & flagBits.starred) !== 0, flagMasks.starred) |
    when((bits & flagBits.collapsed) !== 0, flagMasks.collapsed) |
    when((bits & flagBits.mentioned) !== 0, flagMasks.mentioned) |
    when((bits & flagBits.has_alert_word) !== 0, flagMasks.has_alert_word)
  );
}

const when = (holds: boolean, mask: number): number => (holds ? mask : 0);
