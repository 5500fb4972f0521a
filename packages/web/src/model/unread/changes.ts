import { realmChanges, type ReadReceiptsShown, type ServerEvent } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import type { EventOf } from '../connection/state.ts';
import { lostStreamIds } from '../streams/changes.ts';
import { conversationOf, type ConversationKey } from '../streams/conversation.ts';
import { flaggedAfter } from './flagChanges.ts';
import { isInMuted, topicChosen, withMuted, withoutMuted, type MutedTopics } from './mutedTopics.ts';
import { noLongerUnread, readingConfirmed, readingRefused } from './readingChanges.ts';
import { receiptsShownOf, type UnreadState } from './state.ts';
import { unreadIn, withoutUnread, withUnread } from './unread.ts';

export function unreadAfter<S extends UnreadState>(state: S, event: ServerEvent): S {
  return countedAfter({ ...state, flagged: flaggedAfter(state.flagged, event) }, event);
}

function countedAfter<S extends UnreadState>(state: S, event: ServerEvent): S {
  switch (event.type) {
    case 'message': {
      const conversation = conversationOf(event.message);
      if (conversation === undefined || !isUnreadFor(state, event)) return state;
      return {
        ...state,
        unread: withUnread(state.unread, conversation, [event.message.id]),
        muted: isInMuted(state.muted, event.message) ? withMuted(state.muted, [event.message.id]) : state.muted,
      };
    }
    case 'update_message':
      return messagesMoved(state, event);
    case 'delete_message':
      return noLongerUnread(state, deletedIds(event));
    case 'update_message_flags':
      if (event.flag !== 'read') return state;
      if (event.op === 'remove') return { ...state, muted: withMuted(state.muted, mutedIn(event, state.muted)) };
      if (!event.all) return readingConfirmed(state, event.messages);
      return { ...state, unread: new Map(), reading: new Set(), muted: { ...state.muted, unread: new Set() } };
    case 'subscription':
    case 'stream':
      return lostStreamIds(event).reduce(withoutStream, state);
    case 'user_topic':
      return { ...state, muted: topicChosen(state.muted, event) };
    case 'alert_words':
      return alertWordsChanged(state, event.alert_words);
    case 'realm':
      return receiptsChanged(state, event);
    default:
      return state;
  }
}

export function isUnreadFor({ memberId }: UnreadState, { message, flags }: EventOf<'message'>): boolean {
  return !flags.includes('read') && message.sender_id !== memberId;
}

export function deletedIds({ message_ids, message_id }: EventOf<'delete_message'>): readonly number[] {
  return message_ids ?? (message_id === undefined ? [] : [message_id]);
}

function withoutStream<S extends UnreadState>(state: S, streamId: number): S {
  const lost = unreadIn(state.unread, streamId);
  return { ...state, unread: withEntry(state.unread, streamId, undefined), muted: withoutMuted(state.muted, lost) };
}

/** The messages in muted topics among those that are marked as unread. */
function mutedIn({ messages, message_details: details }: EventOf<'update_message_flags'>, muted: MutedTopics): number[] {
  return messages.filter((id) => {
    const { stream_id, topic: subject = '' } = details?.[id] ?? {};
    return isInMuted(muted, { stream_id, subject });
  });
}

function messagesMoved<S extends UnreadState>(state: S, event: EventOf<'update_message'>): S {
  const { stream_id: from, new_stream_id: to = from, subject = event.orig_subject ?? '' } = event;
  if (from === undefined || to === undefined || (from === to && event.subject === undefined)) return state;
  const moved = event.message_ids.filter((id) => unreadIn(state.unread, from).has(id));
  const isMuted = isInMuted(state.muted, { stream_id: to, subject });
  return {
    ...state,
    muted: isMuted ? withMuted(state.muted, moved) : withoutMuted(state.muted, moved),
    unread: from === to ? state.unread : withUnread(withoutUnread(state.unread, moved), to, moved),
  };
}

export function alertWordsChanged<S extends UnreadState>(state: S, alertWords: readonly string[]): S {
  return { ...state, alertWords };
}

/** While messages from this one on are being marked as unread, they are not marked as read. */
export function unreadRequested<S extends UnreadState>(state: S, conversation: ConversationKey, messageId: number): S {
  const unconfirmed = [...unreadIn(state.unread, conversation)].filter((id) => id >= messageId);
  return { ...readingRefused(state, unconfirmed), unreading: [...state.unreading, conversation] };
}

export function unreadAnswered<S extends UnreadState>(state: S, conversation: ConversationKey): S {
  return { ...state, unreading: state.unreading.toSpliced(state.unreading.indexOf(conversation), 1) };
}

function receiptsChanged<S extends UnreadState>(state: S, event: EventOf<'realm'>): S {
  const { enable_read_receipts: isOn, read_receipts } = realmChanges(event);
  return receiptsChosen(state, receiptsShownOf(isOn, read_receipts) ?? state.receiptsShown);
}

export function receiptsChosen<S extends UnreadState>(state: S, receiptsShown: ReadReceiptsShown): S {
  if (receiptsShown === state.receiptsShown) return state;
  return { ...state, receiptsShown, readCounts: receiptsShown === 'none' ? new Map() : state.readCounts };
}

export function readersForgotten<S extends UnreadState>(state: S): S {
  return { ...state, readCounts: new Map() };
}

export function readersCounted<S extends UnreadState>(
  state: S,
  counts: Iterable<readonly [messageId: number, count: number]>,
): S {
  return { ...state, readCounts: new Map([...state.readCounts, ...counts]) };
}
