import type { ServerEvent } from '@engawa/protocol';
import { conversationOf } from '../streams/conversation.ts';
import { deletedIds } from '../unread/changes.ts';
import { withSentAs } from './changes.ts';
import { remove, settled, take } from './outgoing.ts';
import type { OutboxState } from './state.ts';

export function outboxAfter<S extends OutboxState>(state: S, event: ServerEvent): S {
  if (event.type === 'delete_message') {
    const ids = deletedIds(event);
    return { ...state, outbox: state.outbox.filter(({ messageId }) => messageId === undefined || !ids.includes(messageId)) };
  }
  if (event.type !== 'message') return state;
  const { message, local_message_id } = event;
  const conversation = conversationOf(message);
  if (conversation === undefined) return state;
  const own = local_message_id === undefined ? undefined : take(state.outbox, local_message_id);
  const outbox = own ? remove(state.outbox, own.localKey) : state.outbox;
  const arrived = { ...state, outbox: settled(outbox, state.memberId, conversation, [message]) };
  return own ? withSentAs(arrived, message.id, own.localKey) : arrived;
}
