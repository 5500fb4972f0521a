import { isDirect, type ConversationKey } from '../streams/conversation.ts';
import type { TimelinesState } from '../timeline/state.ts';
import { isUnread } from '../unread/unread.ts';
import { isCounted } from './selectors.ts';

/** Whether the list of mentions marks a message as unread, and in grey because its stream is not in the totals. */
export function selectUnreadMark(state: TimelinesState, conversation: ConversationKey, messageId: number) {
  if (!isUnread(state, conversation, messageId)) return undefined;
  if (isDirect(conversation)) return 'counted';
  const subscription = state.subscriptions?.get(conversation);
  return subscription && isCounted(subscription) && !state.muted.unread.has(messageId) ? 'counted' : 'muted';
}
