import { type ParametersOut, type editMessage, maxEditsPerMessage, maxMessagesMoved } from '@engawa/protocol';
import { readable } from '../conversations/access.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Member, isGuest, isModerator } from '../identity/member.ts';
import { edits } from './edits.ts';
import { type MessageRow, messages } from './store.ts';
import { isPast, timeLimits } from './timeLimits.ts';

type PropagateMode = ParametersOut<typeof editMessage>['propagate_mode'];
type Moved = Pick<MessageRow, 'id' | 'sender_id' | 'topic' | 'timestamp'>;

/** THE rule of who moves messages: guests move only their own messages. */
export function refuseGuest(mover: Member, moved: readonly Pick<Moved, 'sender_id'>[]): void {
  if (isGuest(mover) && moved.some(({ sender_id }) => sender_id !== mover.id)) throw refused.mayNotEdit();
}

/** @throws ChatError for more than `maxMessagesMoved`, for a topic with too old messages, and for a guest (`refuseGuest`). */
export function movedWith(
  reader: Reader,
  mover: Member,
  message: MessageRow,
  topic: string,
  mode: PropagateMode,
  now: number,
): number[] {
  const moved = mode === 'change_one' ? [message] : inItsTopic(reader, mover, message, mode);
  refuseGuest(mover, moved);
  if (mode === 'change_all' && !isModerator(mover)) checkAges(reader, moved, now);
  return moved.filter((each) => each.topic !== topic).map(({ id }) => id);
}

function inItsTopic(reader: Reader, mover: Member, message: MessageRow, mode: PropagateMode): Moved[] {
  const found: Moved[] = [];
  for (const { after, upTo } of readable(reader, mover, message.conversation_id)) {
    const span = { after: mode === 'change_later' ? Math.max(after, message.id - 1) : after, upTo };
    found.push(...messages.inTopic(reader, message, span, maxMessagesMoved + 1 - found.length));
  }
  if (found.length > maxMessagesMoved) {
    throw refused.because(`Too many messages to move at once (maximum ${maxMessagesMoved}).`);
  }
  return found;
}

/** No message of a topic is moved if one of them is too old. */
function checkAges(reader: Reader, moved: readonly Moved[], now: number): void {
  const { topic_edit_limit: limit } = timeLimits(reader);
  const young = moved.filter((each) => !isPast(each, limit, now));
  const [first] = young;
  if (first && young.length < moved.length) throw refused.movesTooOld(first.id, young.length, moved.length);
}

export function setTopic(tx: Transaction, ids: readonly number[], topic: string, now: number): void {
  messages.setTopic(tx, ids, topic, now);
  edits.deleteOldMoves(tx, ids, maxEditsPerMessage);
}
