import { dialectOf } from '@engawa/markup';
import type { ServerEvent } from '@engawa/protocol';
import type { EventOf } from '../connection/state.ts';
import { conversationOf } from '../streams/conversation.ts';
import type { Arrival } from './arrivals.ts';
import { flaggedAfter } from './flagChanges.ts';
import { isAlerted, isMention, type Flagged } from './flagged.ts';
import { isInMuted, topicChosen, withMuted } from './mutedTopics.ts';
import type { UnreadState } from './state.ts';

type Before = Pick<UnreadState, 'flagged' | 'users' | 'muted'>;

export function arrivalsIn(events: readonly ServerEvent[], before: Before): Arrival[] {
  let { flagged, muted } = before;
  return events.flatMap((event) => {
    const known = flagged;
    flagged = flaggedAfter(flagged, event);
    switch (event.type) {
      case 'user_topic':
        muted = topicChosen(muted, event);
        return [];
      case 'message':
        if (!isInMuted(muted, event.message)) return messageCome(event);
        muted = withMuted(muted, [event.message.id]);
        return [];
      case 'update_message':
        return muted.unread.has(event.message_id) ? [] : callCome(event, known, before.users);
      default:
        return [];
    }
  });
}

function messageCome({ message, flags }: EventOf<'message'>): Arrival[] {
  const conversation = conversationOf(message);
  if (conversation === undefined) return [];
  const { id: messageId, sender_id: senderId, sender_full_name: senderFullName, content, timestamp, notice } = message;
  const dialect = dialectOf(message.client);
  return [{ conversation, messageId, senderId, senderFullName, content, dialect, timestamp, notice, flags, corrected: false }];
}

/**
 * The arrival of a stream message in which an edit has added a mention or alert word. Its sender is the editor, because only
 * authors edit their text. A direct message has notified the member when it came.
 */
function callCome(event: EventOf<'update_message'>, known: Flagged, users: UnreadState['users']): Arrival[] {
  const { message_id: messageId, user_id: senderId, content, flags, edit_timestamp: timestamp } = event;
  const conversation = event.new_stream_id ?? event.stream_id;
  const calls = isMention(flags) || isAlerted(flags);
  if (!calls || known.mentioned.has(messageId) || known.alerted.has(messageId)) return [];
  const sender = senderId ? users.get(senderId) : undefined;
  if (!sender || content === undefined || conversation === undefined) return [];
  const { user_id, full_name: senderFullName } = sender;
  // The event does not name the client.
  const dialect = 'engawa';
  return [{ conversation, messageId, senderId: user_id, senderFullName, content, dialect, timestamp, flags, corrected: true }];
}
