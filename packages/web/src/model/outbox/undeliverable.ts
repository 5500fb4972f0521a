import { isDirect, type ConversationKey } from '../streams/conversation.ts';
import { isToSend } from './outgoing.ts';
import type { OutboxState } from './state.ts';

/** The first message that could not be sent and that no timeline shows, because the member has lost its conversation. */
export function selectUndeliverable({ outbox, subscriptions, directs, current }: OutboxState) {
  const isListed = (conversation: ConversationKey) =>
    conversation === current || (isDirect(conversation) ? directs.has(conversation) : subscriptions?.has(conversation));
  return outbox.find((each) => each.state === 'failed' && !isToSend(each) && !isListed(each.conversation))?.localKey;
}
