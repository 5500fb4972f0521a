/** What the state becomes. Every function is pure and named after what has happened. */
import type { Cursor } from '@engawa/client';
import type { FileMessage, KnownEvent, Message, ServerEvent, Subscription } from '@engawa/protocol';
import type { DepartmentNode } from '@engawa/protocol/product';
import { passes } from './failure.ts';
import { change, remove, settled, take, type Outgoing } from './outbox.ts';
import type { Snapshot } from './snapshot.ts';
import { withEntry, type State } from './state.ts';
import * as timelines from './timeline.ts';
import { unloaded, type MessageChange, type Page, type TimelineState } from './timeline.ts';
import { firstUnread, withoutUnread, withUnread, type Unread } from './unread.ts';
import type { Connection, Failure } from './view.ts';

type EventOf<Type extends KnownEvent['type']> = Extract<KnownEvent, { type: Type }>;

// Connection and snapshot

export function connectionBecame(state: State, connection: Connection): State {
  // Who is signed out stays so, and so does what is broken: only a new model changes that.
  if (state.connection === connection || state.connection === 'signed-out') return state;
  if (state.connection === 'broken' && connection !== 'signed-out') return state;
  return { ...state, connection };
}

export function departmentsLoaded(state: State, departments: readonly DepartmentNode[]): State {
  return { ...state, departments, departmentsFailure: undefined };
}

export function departmentsFailed(state: State, departmentsFailure: Failure | undefined): State {
  return { ...state, departmentsFailure };
}

/** A new beginning. Only the open stream stays on the screen, to be fetched again; the others load when opened. */
export function registered(state: State, snapshot: Snapshot): State {
  const subscriptions = new Map(snapshot.subscriptions.map((each) => [each.stream_id, each]));
  const current = state.current !== undefined && subscriptions.has(state.current) ? state.current : undefined;
  const open = current === undefined ? undefined : state.timelines.get(current);
  const unread = snapshot.unread.reduce<Unread>(
    (map, { streamId, messageIds }) => withUnread(map, streamId, messageIds),
    new Map(),
  );
  const newest: [number, Message | null][] = snapshot.silent.map((streamId) => [streamId, null]);
  for (const message of snapshot.newest) {
    if (message.stream_id !== undefined) newest.push([message.stream_id, message]);
  }
  return {
    ...state,
    cursor: snapshot.cursor,
    users: new Map(snapshot.users.map((each) => [each.user_id, each])),
    subscriptions,
    newest: new Map(newest),
    unread,
    maxMessageId: Math.max(state.maxMessageId, snapshot.maxMessageId),
    current,
    timelines:
      current === undefined || open === undefined
        ? new Map()
        : new Map([[current, { ...open, stale: true, loading: undefined, held: [], failure: undefined }]]),
    outbox: state.outbox.filter((each) => each.state !== 'sent' || each.streamId === current),
  };
}

// Events

export function happened(state: State, events: readonly ServerEvent[], cursor: Cursor): State {
  return withoutExcess({ ...events.reduce(applied, state), cursor });
}

function applied(state: State, event: ServerEvent): State {
  switch (event.type) {
    case 'message':
      return messageArrived(state, event);
    case 'update_message':
      return messageEdited(state, event);
    case 'delete_message':
      return messagesDeleted(state, event);
    case 'update_message_flags':
      return flagsChanged(state, event);
    case 'subscription':
      return subscriptionChanged(state, event);
    case 'stream':
      return streamChanged(state, event);
    case 'realm_user':
      return userChanged(state, event);
    // No screen shows reactions yet; a heartbeat and the unknown only move the cursor.
    case 'reaction':
    case 'heartbeat':
    case 'unknown':
      return state;
  }
}

function messageArrived(state: State, event: EventOf<'message'>): State {
  const { message, flags, local_message_id } = event;
  const streamId = message.stream_id;
  const maxMessageId = Math.max(state.maxMessageId, message.id);
  if (streamId === undefined) return { ...state, maxMessageId };

  const outbox = local_message_id === undefined ? state.outbox : remove(state.outbox, local_message_id);
  const isUnread = !flags.includes('read') && message.sender_id !== state.memberId;
  return {
    ...state,
    maxMessageId,
    timelines: timelinesAfter(state, event),
    newest: newestAfter(state, streamId, message),
    unread: isUnread ? withUnread(state.unread, streamId, [message.id]) : state.unread,
    outbox: settled(outbox, state.memberId, streamId, [message]),
  };
}

function messageEdited(state: State, event: EventOf<'update_message'>): State {
  const edited = { ...state, timelines: timelinesAfter(state, event), newest: rewrittenNewest(state, event) };
  const { stream_id: from, new_stream_id: to } = event;
  if (from === undefined || to === undefined || from === to) return edited;

  const moved = event.message_ids.filter((id) => state.unread.get(from)?.has(id));
  const newest = new Map(edited.newest);
  newest.delete(from);
  newest.delete(to);
  return { ...edited, newest, unread: withUnread(withoutUnread(state.unread, moved), to, moved) };
}

function messagesDeleted(state: State, event: EventOf<'delete_message'>): State {
  const ids = timelines.idsOf(event);
  return {
    ...state,
    timelines: timelinesAfter(state, event),
    newest: rewrittenNewest(state, event),
    unread: withoutUnread(state.unread, ids),
    outbox: state.outbox.filter(({ messageId }) => messageId === undefined || !ids.includes(messageId)),
  };
}

function flagsChanged(state: State, event: EventOf<'update_message_flags'>): State {
  if (event.flag !== 'read') return state;
  if (event.op === 'add' && event.all) return { ...state, unread: new Map(), reading: new Set() };
  if (event.op === 'add') return readingConfirmed(state, event.messages);
  return event.messages.reduce((marked, id) => {
    const streamId = event.message_details?.[id]?.stream_id ?? streamOfMessage(state, id);
    return streamId === undefined ? marked : { ...marked, unread: withUnread(marked.unread, streamId, [id]) };
  }, state);
}

function subscriptionChanged(state: State, event: EventOf<'subscription'>): State {
  switch (event.op) {
    case 'add':
      return event.subscriptions.reduce(
        (joined, each) => ({ ...joined, subscriptions: withEntry(subscriptionsOf(joined), each.stream_id, each) }),
        state,
      );
    case 'remove':
      return event.subscriptions.reduce((left, { stream_id }) => streamLost(left, stream_id), state);
    case 'update':
      return event.property === 'is_muted' && typeof event.value === 'boolean'
        ? withSubscription(state, event.stream_id, { is_muted: event.value })
        : state;
    case 'peer_add':
    case 'peer_remove': {
      const peers = new Set(event.user_ids);
      return event.stream_ids.reduce((changed, streamId) => {
        const before = new Set(state.subscriptions?.get(streamId)?.subscribers);
        const after = event.op === 'peer_add' ? before.union(peers) : before.difference(peers);
        return withSubscription(changed, streamId, { subscribers: [...after] });
      }, state);
    }
  }
}

function streamChanged(state: State, event: EventOf<'stream'>): State {
  switch (event.op) {
    // The subscription that makes it ours is an event of its own.
    case 'create':
      return state;
    case 'delete':
      return event.streams.reduce((left, { stream_id }) => streamLost(left, stream_id), state);
    case 'update': {
      const { property, value } = event;
      if (typeof value !== 'string') return state;
      if (property === 'name') return withSubscription(state, event.stream_id, { name: value });
      if (property === 'description') return withSubscription(state, event.stream_id, { description: value });
      return state;
    }
  }
}

function userChanged(state: State, event: EventOf<'realm_user'>): State {
  // Who has left is still the sender of what they wrote.
  if (event.op === 'remove') return state;
  if (event.op === 'add') return { ...state, users: withEntry(state.users, event.person.user_id, event.person) };
  const { user_id, full_name, avatar_url } = event.person;
  const known = state.users.get(user_id);
  if (!known) return state;
  const changed = {
    ...known,
    ...(full_name === undefined ? {} : { full_name }),
    ...(avatar_url === undefined ? {} : { avatar_url }),
  };
  return { ...state, users: withEntry(state.users, user_id, changed) };
}

// Streams and pages

/** The divider is set where reading begins now, and stays until the stream is left. */
export function opened(state: State, streamId: number): State {
  if (state.current === streamId || !state.subscriptions?.has(streamId)) return state;
  const divider = firstUnread(state.unread, state.reading, streamId);
  const timeline = state.timelines.get(streamId) ?? unloaded;
  return withoutExcess({
    ...state,
    current: streamId,
    // What failed the last time is worth another try now.
    timelines: withEntry(state.timelines, streamId, { ...timeline, failure: undefined, firstUnread: divider }),
  });
}

export function pageAsked(state: State, streamId: number, which: 'newest' | 'older'): State {
  return withTimeline(state, streamId, (timeline) => timelines.asked(timeline, which));
}

export function pageArrived(state: State, streamId: number, page: Page): State {
  const older = state.timelines.get(streamId)?.loading === 'older';
  const filled = withTimeline(state, streamId, (timeline) => timelines.arrived(timeline, streamId, page));
  const messages = filled.timelines.get(streamId)?.messages ?? [];
  const newest = messages.at(-1);
  const newestId = newest?.id ?? 0;
  // What was sent, is older than the newest and is not there has been deleted meanwhile.
  const outbox = state.outbox.filter(
    (each) => each.streamId !== streamId || each.state !== 'sent' || (each.messageId ?? Infinity) > newestId,
  );
  return withoutExcess({
    ...filled,
    maxMessageId: Math.max(state.maxMessageId, newestId),
    newest: older ? state.newest : newestAfter(state, streamId, newest ?? null),
    outbox: settled(outbox, state.memberId, streamId, messages),
  });
}

export function pageFailed(state: State, streamId: number, failure: Failure): State {
  return withTimeline(state, streamId, (timeline) => timelines.failed(timeline, failure));
}

export function previewArrived(state: State, streamId: number, message: Message | null): State {
  return { ...state, newest: newestAfter(state, streamId, message) };
}

// Reading

export function readingBegan(state: State, ids: Iterable<number>): State {
  return { ...state, reading: state.reading.union(new Set(ids)) };
}

export function readingConfirmed(state: State, ids: readonly number[]): State {
  return { ...readingRefused(state, ids), unread: withoutUnread(state.unread, ids) };
}

export function readingRefused(state: State, ids: readonly number[]): State {
  return { ...state, reading: state.reading.difference(new Set(ids)) };
}

// The outbox

export function queued(state: State, outgoing: readonly Outgoing[]): State {
  return { ...state, outbox: [...state.outbox, ...outgoing] };
}

export function attempted(state: State, localKey: string): State {
  const afterId = take(state.outbox, localKey)?.afterId ?? state.maxMessageId;
  return withOutgoing(state, localKey, { state: 'sending', failure: undefined, afterId });
}

export function progressed(state: State, localKey: string, progress: number): State {
  return withOutgoing(state, localKey, { progress });
}

export function uploaded(state: State, localKey: string, fileMessage: FileMessage): State {
  return withOutgoing(state, localKey, { fileMessage, progress: undefined });
}

export function sendFailed(state: State, localKey: string, failure: Failure): State {
  // Only what was surely refused can no longer turn out to be a message that we already see.
  const doubt = passes(failure) ? {} : { messageId: undefined };
  return withOutgoing(state, localKey, { state: 'failed', failure, progress: undefined, ...doubt });
}

export function retried(state: State, localKey: string): State {
  return withOutgoing(state, localKey, { state: 'waiting', failure: undefined });
}

/** The server has answered with the message's id. The row goes when the message itself is there, which may be now. */
export function delivered(state: State, localKey: string, messageId: number): State {
  const outgoing = take(state.outbox, localKey);
  if (!outgoing) return state;
  const timeline = state.timelines.get(outgoing.streamId) ?? unloaded;
  const isThere = timelines.find(timeline.messages ?? [], messageId) !== undefined;
  const isNowhere = timeline.messages === undefined && timeline.loading === undefined;
  const outbox =
    isThere || isNowhere
      ? remove(state.outbox, localKey)
      : change(state.outbox, localKey, { state: 'sent', messageId, failure: undefined, progress: undefined });
  return { ...state, outbox, maxMessageId: Math.max(state.maxMessageId, messageId) };
}

export function discarded(state: State, localKey: string): State {
  return { ...state, outbox: remove(state.outbox, localKey) };
}

// Parts of the state

function subscriptionsOf(state: State): ReadonlyMap<number, Subscription> {
  return state.subscriptions ?? new Map();
}

function withSubscription(state: State, streamId: number, changes: Partial<Subscription>): State {
  const known = state.subscriptions?.get(streamId);
  if (!known) return state;
  return { ...state, subscriptions: withEntry(subscriptionsOf(state), streamId, { ...known, ...changes }) };
}

function streamLost(state: State, streamId: number): State {
  return {
    ...state,
    subscriptions: withEntry(subscriptionsOf(state), streamId, undefined),
    timelines: withEntry(state.timelines, streamId, undefined),
    // We hear nothing of it any more: should it come back, somebody has to look again.
    newest: withEntry(state.newest, streamId, undefined),
    current: state.current === streamId ? undefined : state.current,
  };
}

function withTimeline(state: State, streamId: number, change: (timeline: TimelineState) => TimelineState): State {
  const timeline = state.timelines.get(streamId) ?? unloaded;
  return { ...state, timelines: withEntry(state.timelines, streamId, change(timeline)) };
}

function withOutgoing(state: State, localKey: string, changes: Partial<Outgoing>): State {
  return { ...state, outbox: change(state.outbox, localKey, changes) };
}

function timelinesAfter(state: State, event: MessageChange): ReadonlyMap<number, TimelineState> {
  let changed = state.timelines;
  for (const [streamId, timeline] of state.timelines) {
    const after = timelines.changed(timeline, streamId, event);
    if (after !== timeline) changed = withEntry(changed, streamId, after);
  }
  return changed;
}

/** A tab may stay open for weeks: what nobody looks at does not grow without bound. */
function withoutExcess(state: State): State {
  let kept = state.timelines;
  for (const [streamId, timeline] of state.timelines) {
    const short = streamId === state.current ? timeline : timelines.trimmed(timeline);
    if (short !== timeline) kept = withEntry(kept, streamId, short);
  }
  return kept === state.timelines ? state : { ...state, timelines: kept };
}

function newestAfter(state: State, streamId: number, message: Message | null): ReadonlyMap<number, Message | null> {
  const known = state.newest.get(streamId);
  const isNewer = !known || (message !== null && message.id >= known.id);
  return isNewer ? withEntry(state.newest, streamId, message) : state.newest;
}

function rewrittenNewest(state: State, event: MessageChange): ReadonlyMap<number, Message | null> {
  let changed = state.newest;
  for (const [streamId, message] of state.newest) {
    const after = message && timelines.rewrittenBy(message, event);
    if (after !== message) changed = withEntry(changed, streamId, after);
  }
  return changed;
}

function streamOfMessage(state: State, id: number): number | undefined {
  for (const [streamId, { messages = [] }] of state.timelines) {
    if (timelines.find(messages, id)) return streamId;
  }
  return state.newest.values().find((message) => message?.id === id)?.stream_id;
}
