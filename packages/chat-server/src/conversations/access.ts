import type { Reader } from '../database/index.ts';
import { type MembershipRow, type StreamRow, conversations } from './store.ts';

/** Message ids above `after`, up to and with `upTo`. */
export interface Span {
  readonly after: number;
  readonly upTo: number;
}

const everything: readonly Span[] = [{ after: 0, upTo: Number.MAX_SAFE_INTEGER }];

/**
 * THE rule of who may read what: the parts of a conversation that a member may read now; none when it is not theirs.
 * A current member reads all of a shared history, else what was sent during their stays. One who left reads nothing.
 */
export function readable(reader: Reader, userId: number, conversationId: number): readonly Span[] {
  const stays = conversations.stays(reader, conversationId, userId);
  const current = stays.find((stay) => stay.ended_event === null);
  if (!current) return [];
  return current.shared_history ? everything : stays.map(spanOf);
}

export function mayRead(reader: Reader, userId: number, message: { id: number; conversation_id: number }): boolean {
  return within(message.id, readable(reader, userId, message.conversation_id));
}

/** The parts of a conversation that were sent to a member: during their stays. What is unread is among them. */
export function received(reader: Reader, userId: number, conversationId: number): readonly Span[] {
  return conversations.stays(reader, conversationId, userId).map(spanOf);
}

export function spanOf(stay: Pick<MembershipRow, 'began_message' | 'ended_message'>): Span {
  return { after: stay.began_message, upTo: stay.ended_message ?? Number.MAX_SAFE_INTEGER };
}

export function within(id: number, spans: readonly Span[]): boolean {
  return spans.some(({ after, upTo }) => id > after && id <= upTo);
}

/** A stream by its name or id, as far as a member can see it: one that they may not read is as one that is not there. */
export function visibleStream(reader: Reader, userId: number, named: string | number): StreamRow | undefined {
  const stream =
    typeof named === 'number' ? conversations.stream(reader, named) : conversations.streamByName(reader, named);
  if (!stream || stream.is_archived) return undefined;
  return readable(reader, userId, stream.conversation_id).length > 0 ? stream : undefined;
}
