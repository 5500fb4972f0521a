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

/**
 * The messages that get another topic with one of them, ascending: as far as the mover may read them.
 * @throws ChatError for more than `maxMessagesMoved`, where some of a whole topic are too old for the mover, and where a
 * guest would move what others wrote.
 */
export function movedWith(
  reader: Reader,
  mover: Member,
  message: MessageRow,
  topic: string,
  mode: PropagateMode,
  now: number,
): number[] {
  const together = mode === 'change_one' ? [message] : underItsTopic(reader, mover, message, mode);
  if (isGuest(mover) && together.some(({ sender_id }) => sender_id !== mover.id)) throw refused.mayNotEdit();
  if (mode === 'change_all' && !isModerator(mover)) checkAges(reader, together, now);
  return together.filter((each) => each.topic !== topic).map(({ id }) => id);
}

function underItsTopic(reader: Reader, mover: Member, message: MessageRow, mode: PropagateMode): Moved[] {
  const found: Moved[] = [];
  for (const { after, upTo } of readable(reader, mover, message.conversation_id)) {
    const from = { after: mode === 'change_later' ? Math.max(after, message.id - 1) : after, upTo };
    found.push(...messages.inTopic(reader, message, from, maxMessagesMoved + 1 - found.length));
  }
  if (found.length > maxMessagesMoved) {
    throw refused.because(`Too many messages to move at once (maximum ${maxMessagesMoved}).`);
  }
  return found;
}

/** Who may not move what is old moves none of a topic that has some. */
function checkAges(reader: Reader, together: readonly Moved[], now: number): void {
  const { topic_edit_limit: limit } = timeLimits(reader);
  const young = together.filter((each) => !isPast(each, limit, now));
  const [first] = young;
  if (first && young.length < together.length) throw refused.movesTooOld(first.id, young.length, together.length);
}

export function changeTopic(tx: Transaction, ids: readonly number[], topic: string, now: number): void {
  messages.setTopic(tx, ids, topic, now);
  edits.forgetTopics(tx, ids, maxEditsPerMessage);
}
