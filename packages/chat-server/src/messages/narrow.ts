import type { NarrowTerm } from '@engawa/protocol';
import { type Span, readable, received, visibleStream } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../http/errors.ts';
import type { Member } from '../users/member.ts';
import { users } from '../users/store.ts';
import { type MessageFilter, topicKey } from './store.ts';

/**
 * What a narrow asks for, as parts of conversations that the member may read. Without a stream these are what the
 * member received; with one, all of it that the member may read.
 * @throws ChatError BAD_NARROW. A stream that the member may not read is as unknown as one that does not exist.
 */
export function narrowed(
  reader: Reader,
  member: Member,
  terms: readonly NarrowTerm[],
  includeDeleted: boolean,
): MessageFilter[] {
  const asked = readTerms(reader, member, terms);
  // All terms must hold, and no message is in two streams, under two topics or by two senders.
  if (Object.values(asked).some((wanted) => wanted.size > 1)) return [];
  const [conversationId] = asked.conversationIds;
  const [topic = null] = asked.topics;
  const [senderId = null] = asked.senderIds;
  const parts =
    conversationId === undefined ? allReceived(reader, member) : readableParts(reader, member, conversationId);
  return parts.flatMap(({ conversationId, spans }) =>
    spans.map(({ after, upTo }) => ({
      conversation_id: conversationId,
      after,
      up_to: upTo,
      topic_key: topic,
      sender_id: senderId,
      include_deleted: includeDeleted ? 1 : 0,
    })),
  );
}

interface Part {
  readonly conversationId: number;
  readonly spans: readonly Span[];
}

function allReceived(reader: Reader, member: Member): Part[] {
  return conversations.currentStays(reader, member.id).map(({ conversation_id: conversationId }) => ({
    conversationId,
    spans: received(reader, member.id, conversationId),
  }));
}

function readableParts(reader: Reader, member: Member, conversationId: number): Part[] {
  return [{ conversationId, spans: readable(reader, member.id, conversationId) }];
}

interface Asked {
  readonly conversationIds: ReadonlySet<number>;
  readonly topics: ReadonlySet<string>;
  readonly senderIds: ReadonlySet<number>;
}

function readTerms(reader: Reader, member: Member, terms: readonly NarrowTerm[]): Asked {
  const conversationIds = new Set<number>();
  const topics = new Set<string>();
  const senderIds = new Set<number>();
  for (const { operator, operand, negated } of terms) {
    if (negated) throw refused.badNarrow(`unknown operator -${operator}`);
    if (operator === 'stream' || operator === 'channel') conversationIds.add(streamIn(reader, member, operand));
    else if (operator === 'topic' || operator === 'subject') topics.add(topicKey(String(operand)));
    else if (operator === 'sender') senderIds.add(senderIn(reader, operand));
    else throw refused.badNarrow(`unknown operator ${operator}`);
  }
  return { conversationIds, topics, senderIds };
}

function streamIn(reader: Reader, member: Member, operand: NarrowTerm['operand']): number {
  const stream = typeof operand === 'object' ? undefined : visibleStream(reader, member.id, operand);
  if (!stream) throw refused.badNarrow(`unknown stream ${String(operand)}`);
  return stream.conversation_id;
}

function senderIn(reader: Reader, operand: NarrowTerm['operand']): number {
  const sender = typeof operand === 'number' ? users.byId(reader, operand) : users.byEmail(reader, String(operand));
  if (!sender) throw refused.badNarrow(`unknown user ${String(operand)}`);
  return sender.id;
}
