/** Changes of the conversations by events, and by the member's own changes before their events. */
import { realmChanges, type Message, type RealmChanges, type ServerEvent } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import type { EventOf } from '../connection/state.ts';
import { lostStreamIds } from '../streams/changes.ts';
import { conversationOf, directOf, type ConversationKey } from '../streams/conversation.ts';
import { deletedIds, isUnreadFor } from '../unread/changes.ts';
import { readingRefused } from '../unread/readingChanges.ts';
import { countUnread, firstUnread, withoutUnread, withUnread } from '../unread/unread.ts';
import { newestAfter, withKnownTimeline, withTimeline } from './changes.ts';
import type { Emoji } from './reactions.ts';
import { locate, type TimelinesState } from './state.ts';
import * as timelines from './timeline.ts';
import type { MessageChange } from './timeline.ts';

/** Number of deleted messages that are remembered, so that lists of found messages can leave them out. */
const mostDeleted = 500;

/** Runs before the change of the unread messages, because the unread divider depends on whether all was read before. */
export function timelinesAfter<S extends TimelinesState>(state: S, event: ServerEvent): S {
  switch (event.type) {
    case 'message':
      return messageArrived(state, event);
    case 'update_message':
      return messageEdited(state, event);
    case 'delete_message':
      return messagesDeleted(state, event);
    case 'update_message_flags':
      return flagsChanged(state, event);
    case 'reaction':
      return rewritten(state, event);
    case 'subscription':
    case 'stream':
      return lostStreamIds(event).reduce(withoutStream, state);
    case 'realm':
      return limitsChanged(state, realmChanges(event));
    default:
      return state;
  }
}

function messageArrived<S extends TimelinesState>(state: S, event: EventOf<'message'>): S {
  const { message } = event;
  const conversation = conversationOf(message);
  const maxMessageId = Math.max(state.maxMessageId, message.id);
  if (conversation === undefined) return { ...state, maxMessageId };
  const shown = {
    ...state,
    maxMessageId,
    timelines: changedTimelines(state, event),
    newest: newestAfter(state, conversation, message),
  };
  return isUnreadFor(state, event) ? arrivedSinceRead(shown, conversation, message.id) : shown;
}

/** If all messages of the open conversation were read, remembers the first new one for the unread divider. */
function arrivedSinceRead<S extends TimelinesState>(state: S, conversation: ConversationKey, messageId: number | undefined): S {
  const { current, unread, reading } = state;
  if (conversation !== current || countUnread(unread, reading, conversation) > 0) return state;
  return withKnownTimeline(state, conversation, { arrivedSince: messageId });
}

function messageEdited<S extends TimelinesState>(state: S, event: EventOf<'update_message'>): S {
  const edited = rewritten(state, event);
  const { stream_id: from, new_stream_id: to } = event;
  if (from === undefined || to === undefined || from === to) return edited;
  const newest = new Map(edited.newest);
  newest.delete(from);
  newest.delete(to);
  return { ...edited, newest };
}

function messagesDeleted<S extends TimelinesState>(state: S, event: EventOf<'delete_message'>): S {
  return { ...rewritten(state, event), deleted: new Set([...state.deleted, ...deletedIds(event)].slice(-mostDeleted)) };
}

function flagsChanged<S extends TimelinesState>(state: S, event: EventOf<'update_message_flags'>): S {
  if (event.flag === 'starred') return rewritten(state, event);
  if (event.flag !== 'read' || event.op === 'add') return state;
  const byConversation = Map.groupBy(event.messages, (id) => conversationWith(state, id, event.message_details?.[id]));
  return [...byConversation].reduce((marked, [conversation, ids]) => {
    if (conversation === undefined) return marked;
    // Also in the open conversation, because the member wants these messages unread on all devices.
    if (conversation === state.current) return markedUnread(marked, conversation, ids);
    return { ...marked, unread: withUnread(marked.unread, conversation, ids) };
  }, state);
}

type Details = NonNullable<EventOf<'update_message_flags'>['message_details']>[string];

function conversationWith(
  state: TimelinesState,
  id: number,
  { type, stream_id, user_ids }: Partial<Details> = {},
): ConversationKey | undefined {
  const { memberId } = state;
  if (type === 'private' && user_ids && memberId !== undefined) return directOf([memberId, ...user_ids]);
  const known = stream_id === undefined ? knownMessage(state, id) : undefined;
  return known ? conversationOf(known) : stream_id;
}

/** Forgets the newest message, because later events of a lost stream do not arrive and it may return. */
function withoutStream<S extends TimelinesState>(state: S, streamId: number): S {
  return {
    ...state,
    timelines: withEntry(state.timelines, streamId, undefined),
    newest: withEntry(state.newest, streamId, undefined),
    current: state.current === streamId ? undefined : state.current,
  };
}

function limitsChanged<S extends TimelinesState>(
  state: S,
  {
    message_content_edit_limit_seconds: edit = state.limits.edit,
    message_content_delete_limit_seconds: deletion = state.limits.delete,
    allow_message_editing: editing = state.limits.editing,
    delete_own_message_policy: ownDeletion = state.limits.ownDeletion,
  }: RealmChanges,
): S {
  return { ...state, limits: { edit, delete: deletion, editing, ownDeletion } };
}

/** Keeps messages unread, with the unread divider above them, until the member leaves the conversation. */
export function markedUnread<S extends TimelinesState>(state: S, conversation: ConversationKey, ids: readonly number[]): S {
  if (ids.length === 0) return state;
  const unread = withUnread(state.unread, conversation, ids);
  const marked = { ...readingRefused(state, ids), unread, keptUnread: conversation };
  const divider = firstUnread(unread, marked.reading, conversation);
  return withTimeline(marked, conversation, (timeline) => ({ ...timeline, firstUnread: divider }));
}

export function typingBecame<S extends TimelinesState>(
  state: S,
  conversation: ConversationKey,
  userId: number,
  isTyping: boolean,
): S {
  const known = state.typing.get(conversation) ?? [];
  if (known.includes(userId) === isTyping) return state;
  const members = isTyping ? [...known, userId] : known.filter((each) => each !== userId);
  return { ...state, typing: withEntry(state.typing, conversation, members.length === 0 ? undefined : members) };
}

/** @param now Unix seconds. */
export function contentEdited<S extends TimelinesState>(state: S, messageId: number, content: string, now: number): S {
  // The event will bring the flags of the new text. Until then the flags stay, such as a star.
  const flags = [...(knownMessage(state, messageId)?.flags ?? [])];
  const change = { id: 0, message_id: messageId, message_ids: [messageId], flags, edit_timestamp: now, content };
  return rewritten(state, { ...change, type: 'update_message' });
}

export function messageDeleted<S extends TimelinesState>(state: S, messageId: number): S {
  const deleted = messagesDeleted(state, { id: 0, type: 'delete_message', message_type: 'stream', message_ids: [messageId] });
  return { ...deleted, unread: withoutUnread(state.unread, [messageId]) };
}

export function reactionSet<S extends TimelinesState>(state: S, messageId: number, { name, code, type }: Emoji, set: boolean): S {
  if (state.memberId === undefined) return state;
  const emoji = { emoji_name: name, emoji_code: code, reaction_type: type, user_id: state.memberId };
  return rewritten(state, { id: 0, type: 'reaction', op: set ? 'add' : 'remove', message_id: messageId, ...emoji });
}

export function starSet<S extends TimelinesState>(state: S, messageId: number, starred: boolean): S {
  const op = starred ? 'add' : 'remove';
  return rewritten(state, { id: 0, type: 'update_message_flags', op, flag: 'starred', messages: [messageId], all: false });
}

function rewritten<S extends TimelinesState>(state: S, event: MessageChange): S {
  let { newest } = state;
  for (const [conversation, message] of state.newest) {
    const after = message && timelines.rewrittenBy(message, event);
    if (after !== message) newest = withEntry(newest, conversation, after);
  }
  return { ...state, timelines: changedTimelines(state, event), newest };
}

function changedTimelines(state: TimelinesState, event: MessageChange): TimelinesState['timelines'] {
  let changed = state.timelines;
  for (const [conversation, timeline] of state.timelines) {
    const after = timelines.changed(timeline, conversation, event);
    if (after !== timeline) changed = withEntry(changed, conversation, after);
  }
  return changed;
}

function knownMessage(state: TimelinesState, id: number): Message | undefined {
  return locate(state, id) ?? state.newest.values().find((message) => message?.id === id) ?? undefined;
}
