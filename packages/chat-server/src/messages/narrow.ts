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
  const parts = asked.conversationId === undefined ? allReceived(reader, member) : readableParts(reader, member, asked.conversationId);
  return parts.flatMap(({ conversationId, spans }) =>
    spans.map(({ after, upTo }) => ({
      conversation_id: conversationId,
      after,
      up_to: upTo,
      topic_key: asked.topic,
      sender_id: asked.senderId,
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
  conversationId: number | undefined;
  topic: string | null;
  senderId: number | null;
}

function readTerms(reader: Reader, member: Member, terms: readonly NarrowTerm[]): Asked {
  const asked: Asked = { conversationId: undefined, topic: null, senderId: null };
  for (const { operator, operand, negated } of terms) {
    if (negated) throw refused.badNarrow(`unknown operator -${operator}`);
    if (operator === 'stream' || operator === 'channel') asked.conversationId = streamIn(reader, member, operand);
    else if (operator === 'topic' || operator === 'subject') asked.topic = topicKey(String(operand));
    else if (operator === 'sender') asked.senderId = senderIn(reader, operand);
    else throw refused.badNarrow(`unknown operator ${operator}`);
  }
  return asked;
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
