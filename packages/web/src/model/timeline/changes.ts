import { realmChanges, type Message, type RealmChanges, type ServerEvent } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import type { Failure } from '../connection/failure.ts';
import type { EventOf } from '../connection/state.ts';
import { lostStreamIds } from '../streams/changes.ts';
import { conversationOf, directOf, mayOpen, type ConversationKey } from '../streams/conversation.ts';
import { deletedIds, isUnreadFor, readingRefused } from '../unread/changes.ts';
import { countUnread, firstUnread, withoutUnread, withUnread } from '../unread/unread.ts';
import type { Emoji } from './reactions.ts';
import { locate, type ReadingPlace, type TimelinesState } from './state.ts';
import * as timelines from './timeline.ts';
import { bounds, unloaded, type Load, type MessageChange, type Page, type TimelineState } from './timeline.ts';

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

/** After a register only the open conversation is kept, and loaded again. @param before The state before the register. */
export function timelinesRestored<S extends TimelinesState>(state: S, before: TimelinesState): S {
  const current = state.current !== undefined && mayOpen(state, state.current) ? state.current : undefined;
  const open = current === undefined ? undefined : state.timelines.get(current);
  const cleared = { ...state, current, readCounts: new Map<number, number>() };
  if (current === undefined || open === undefined) return { ...cleared, timelines: new Map() };
  const wasRead = countUnread(before.unread, before.reading, current) === 0;
  const arrivedSince = wasRead ? firstUnread(state.unread, state.reading, current) : open.arrivedSince;
  return { ...cleared, timelines: new Map([[current, { ...timelines.missed(open), arrivedSince }]]) };
}

export function opened<S extends TimelinesState>(state: S, conversation: ConversationKey): S {
  if (!mayOpen(state, conversation)) return state;
  if (state.current === conversation) return isAtMessage(state, conversation) ? ledBack(state, conversation) : state;
  const known = state.timelines.get(conversation) ?? unloaded;
  const timeline = known.foundNewest ? known : unloaded;
  return withoutExcess({
    ...state,
    current: conversation,
    readCounts: new Map(),
    // Kept while the page has opened no conversation yet, so that it survives a reload.
    keptUnread: state.current === undefined && state.keptUnread === conversation ? conversation : undefined,
    timelines: withEntry(state.timelines, conversation, {
      ...timeline,
      destination: undefined,
      failure: undefined,
      firstUnread: firstUnread(state.unread, state.reading, conversation),
      arrivedSince: undefined,
    }),
  });
}

function isAtMessage({ timelines: all }: TimelinesState, conversation: ConversationKey): boolean {
  const { destination } = all.get(conversation) ?? unloaded;
  return typeof destination?.to === 'number' && !destination.readsOn;
}

/** Scrolls to the first unread message or, without one, to the newest. */
function ledBack<S extends TimelinesState>(state: S, conversation: ConversationKey): S {
  const divider = firstUnread(state.unread, state.reading, conversation);
  if (divider === undefined) return ledTo(state, conversation, 'newest');
  return ledTo(dividerSet(state, conversation, divider), conversation, divider, true);
}

export function openedAt<S extends TimelinesState>(state: S, conversation: ConversationKey, messageId: number): S {
  if (!mayOpen(state, conversation)) return state;
  return ledTo(state.current === conversation ? state : opened(state, conversation), conversation, messageId);
}

/** @param readsOn The destination is the first unread message, not one that the reader asked for. */
export function ledTo<S extends TimelinesState>(
  state: S,
  conversation: ConversationKey,
  to: number | 'newest',
  readsOn = false,
): S {
  return withTimeline(state, conversation, (timeline) => timelines.ledTo(timeline, { to, readsOn }));
}

export function returnedTo<S extends TimelinesState>(state: S, { conversation, messageId, top }: ReadingPlace): S {
  if (!mayOpen(state, conversation)) return state;
  const there = state.current === conversation ? state : opened(state, conversation);
  return withTimeline(there, conversation, (timeline) => timelines.ledTo(timeline, { to: messageId, readsOn: false, top }));
}

export function pageRequested<S extends TimelinesState>(state: S, conversation: ConversationKey, which: Load): S {
  return withTimeline(state, conversation, (timeline) => timelines.requested(timeline, which));
}

export function pageArrived<S extends TimelinesState>(state: S, conversation: ConversationKey, page: Page): S {
  const older = state.timelines.get(conversation)?.loading === 'older';
  const filled = withTimeline(state, conversation, (timeline) => timelines.arrived(timeline, conversation, page));
  const { messages = [], foundNewest = false } = filled.timelines.get(conversation) ?? {};
  const newest = messages.at(-1);
  return withoutExcess({
    ...filled,
    maxMessageId: Math.max(state.maxMessageId, newest?.id ?? 0),
    newest: older || !foundNewest ? state.newest : newestAfter(state, conversation, newest ?? null),
  });
}

export function pageFailed<S extends TimelinesState>(state: S, conversation: ConversationKey, failure: Failure): S {
  return withTimeline(state, conversation, (timeline) => timelines.failed(timeline, failure));
}

export function previewArrived<S extends TimelinesState>(state: S, conversation: ConversationKey, message: Message | null): S {
  return { ...state, newest: newestAfter(state, conversation, message) };
}

/** The reader sees messages that arrived while they were away: the unread divider moves above them. */
export function readingResumed<S extends TimelinesState>(state: S, conversation: ConversationKey): S {
  const { arrivedSince } = state.timelines.get(conversation) ?? unloaded;
  return arrivedSince === undefined ? state : dividerSet(state, conversation, arrivedSince);
}

/** The reader has seen the messages arrive, so they need no unread divider. */
export function arrivalSeen<S extends TimelinesState>(state: S, conversation: ConversationKey): S {
  const { arrivedSince } = state.timelines.get(conversation) ?? unloaded;
  return arrivedSince === undefined ? state : withKnownTimeline(state, conversation, { arrivedSince: undefined });
}

/** Keeps messages unread, with the unread divider above them, until the member leaves the conversation. */
export function markedUnread<S extends TimelinesState>(state: S, conversation: ConversationKey, ids: readonly number[]): S {
  if (ids.length === 0) return state;
  const unread = withUnread(state.unread, conversation, ids);
  const marked = { ...readingRefused(state, ids), unread, keptUnread: conversation };
  const divider = firstUnread(unread, marked.reading, conversation);
  return withTimeline(marked, conversation, (timeline) => ({ ...timeline, firstUnread: divider }));
}

function dividerSet<S extends TimelinesState>(state: S, conversation: ConversationKey, firstUnreadId: number): S {
  return withTimeline(state, conversation, (timeline) => ({ ...timeline, firstUnread: firstUnreadId, arrivedSince: undefined }));
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

function withTimeline<S extends TimelinesState>(
  state: S,
  conversation: ConversationKey,
  change: (timeline: TimelineState) => TimelineState,
): S {
  const timeline = state.timelines.get(conversation) ?? unloaded;
  return { ...state, timelines: withEntry(state.timelines, conversation, change(timeline)) };
}

function withKnownTimeline<S extends TimelinesState>(
  state: S,
  conversation: ConversationKey,
  changes: Partial<TimelineState>,
): S {
  if (!state.timelines.has(conversation)) return state;
  return withTimeline(state, conversation, (timeline) => ({ ...timeline, ...changes }));
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

/** Drops messages of a long conversation far from the one that the reader sees; undefined: far from the newest. */
export function trimmedAround<S extends TimelinesState>(state: S, conversation: ConversationKey, seen: number | undefined): S {
  const timeline = state.timelines.get(conversation) ?? unloaded;
  const short = timelines.trimmed(timeline, bounds.open, seen);
  return short === timeline ? state : { ...state, timelines: withEntry(state.timelines, conversation, short) };
}

/** Drops older messages of all conversations, because a tab may stay open for weeks. */
export function withoutExcess<S extends TimelinesState>(state: S): S {
  let kept = state.timelines;
  for (const [conversation, timeline] of state.timelines) {
    const short = timelines.trimmed(timeline, conversation === state.current ? bounds.unshown : bounds.closed);
    if (short !== timeline) kept = withEntry(kept, conversation, short);
  }
  return kept === state.timelines ? state : { ...state, timelines: kept };
}

function newestAfter(state: TimelinesState, conversation: ConversationKey, message: Message | null): TimelinesState['newest'] {
  const known = state.newest.get(conversation);
  const isNewer = !known || (message !== null && message.id >= known.id);
  return isNewer ? withEntry(state.newest, conversation, message) : state.newest;
}

function knownMessage(state: TimelinesState, id: number): Message | undefined {
  return locate(state, id) ?? state.newest.values().find((message) => message?.id === id) ?? undefined;
}
