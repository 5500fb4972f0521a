import type { Message } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import type { Failure } from '../connection/failure.ts';
import { mayOpen, type ConversationKey } from '../streams/conversation.ts';
import { countUnread, firstUnread } from '../unread/unread.ts';
import type { ReadingPlace, TimelinesState } from './state.ts';
import * as timelines from './timeline.ts';
import { bounds, unloaded, type Load, type Page, type TimelineState } from './timeline.ts';

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

function dividerSet<S extends TimelinesState>(state: S, conversation: ConversationKey, firstUnreadId: number): S {
  return withTimeline(state, conversation, (timeline) => ({ ...timeline, firstUnread: firstUnreadId, arrivedSince: undefined }));
}

export function withTimeline<S extends TimelinesState>(
  state: S,
  conversation: ConversationKey,
  change: (timeline: TimelineState) => TimelineState,
): S {
  const timeline = state.timelines.get(conversation) ?? unloaded;
  return { ...state, timelines: withEntry(state.timelines, conversation, change(timeline)) };
}

export function withKnownTimeline<S extends TimelinesState>(
  state: S,
  conversation: ConversationKey,
  changes: Partial<TimelineState>,
): S {
  if (!state.timelines.has(conversation)) return state;
  return withTimeline(state, conversation, (timeline) => ({ ...timeline, ...changes }));
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

export function newestAfter(
  state: TimelinesState,
  conversation: ConversationKey,
  message: Message | null,
): TimelinesState['newest'] {
  const known = state.newest.get(conversation);
  const isNewer = !known || (message !== null && message.id >= known.id);
  return isNewer ? withEntry(state.newest, conversation, message) : state.newest;
}
