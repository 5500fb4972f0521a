import { type Viewer, audienceOf, mayRead, mayReadEach } from './access.ts';
import { conversations } from './store.ts';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type MessageRow, messages } from '../messages/store.ts';

/**
 * A message as the member who asks may see it now.
 * @throws ChatError `Invalid message(s)` alike for one that is missing, deleted, or not theirs to read.
 */
export function readableMessage(reader: Reader, member: Viewer, id: number): MessageRow {
  const message = messages.withSender(reader, id);
  if (!message || message.deleted !== null || !mayRead(reader, member, message)) throw refused.invalidMessages();
  return message;
}

/**
 * Where messages stand, of those that a viewer may see now: neither of one that is missing or deleted, nor of one that
 * is not theirs to read.
 */
export function readablePlaces(reader: Reader, viewer: Viewer, ids: readonly number[]) {
  const mayReadThis = mayReadEach(reader, viewer);
  return messages.places(reader, ids).filter((place) => place.deleted === null && mayReadThis(place));
}

/** Who hears of what happens to a message, where they may read it: all who can see its stream, or take part. */
export function audienceOfMessage(reader: Reader, { conversation_id }: Pick<MessageRow, 'conversation_id'>) {
  const stream = conversations.stream(reader, conversation_id);
  return stream ? audienceOf(stream) : ({ reach: 'members', reachId: conversation_id } as const);
}
