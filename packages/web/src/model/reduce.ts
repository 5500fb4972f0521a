/** What the state becomes. Every function is pure and named after what has happened. */
import type { Cursor } from '@engawa/client';
import {
  subscription,
  userSettings,
  type FileMessage,
  type KnownEvent,
  type Message,
  type ReadReceiptsShown,
  type ServerEvent,
  type Subscription,
  type User,
  type UserSettings,
} from '@engawa/protocol';
import type { DepartmentNode, DirectoryEntry, Profile } from '@engawa/protocol/product';
import { conversationOf, directOf, isDirect, mayOpen, type ConversationKey } from './streams/conversation.ts';
import { passes, type Failure } from './connection/failure.ts';
import { flaggedAfter, noneFlagged } from './unread/flagged.ts';
import { change, remove, settled, take, type Outgoing } from './outbox/outbox.ts';
import { seenAfter, statusAfter, type Presences, type Status } from './people/presence.ts';
import { receiptsShownOf, type Snapshot } from './sync/snapshot.ts';
import { type State } from './state.ts';
import * as timelines from './timeline/timeline.ts';
import { unloaded, type Load, type MessageChange, type Page, type TimelineState } from './timeline/timeline.ts';
import { countUnread, firstUnread, unreadIn, withoutUnread, withUnread, type Unread } from './unread/unread.ts';
import type { Connection } from './connection/state.ts';
import type { Emoji } from './timeline/reactions.ts';
import type { LostStream } from './streams/state.ts';
import type { ReadingPlace } from './timeline/state.ts';
import type { SettingsChange } from './people/state.ts';
import { withEntry } from './collections.ts';

/** Sent messages whose rows are known by their local keys; a screen shows fewer. */
const mostSentAs = 200;
/** Own files that are kept to be shown without being fetched. */
const mostOwnFiles = 20;
/** Deleted messages that are remembered for lists that the state knows nothing of. */
const mostGone = 500;

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

export function firstShown(state: State): State {
  return state.settled ? state : { ...state, settled: true };
}

export function departmentsFailed(state: State, departmentsFailure: Failure | undefined): State {
  return { ...state, departmentsFailure };
}

export function directoryLoaded(state: State, people: readonly DirectoryEntry[]): State {
  return { ...state, directory: new Map(people.map((each) => [each.user_id, each])) };
}

export function profileLoaded(state: State, { location }: Pick<Profile, 'location'>): State {
  return { ...state, location, profileFailure: undefined };
}

export function profileFailed(state: State, profileFailure: Failure): State {
  return { ...state, profileFailure };
}

/** The member need not wait for the events that tell the others. */
export function profileSaved(state: State, profile: Profile): State {
  const loaded = profileLoaded(state, profile);
  const me = state.memberId === undefined ? undefined : state.users.get(state.memberId);
  if (!me) return loaded;
  const { name: full_name, email, avatar_url } = profile;
  const saved = { ...me, full_name, email, delivery_email: email, avatar_url };
  return withUser(loaded, me, saved);
}

/** A new beginning. Only the open conversation stays on the screen, to be fetched again; the others load when opened. */
export function registered(state: State, snapshot: Snapshot): State {
  const subscriptions = new Map(snapshot.subscriptions.map((each) => [each.stream_id, each]));
  const users = new Map(snapshot.users.map((each) => [each.user_id, each]));
  const known = { memberId: state.memberId, subscriptions, users };
  const current = state.current !== undefined && mayOpen(known, state.current) ? state.current : undefined;
  const open = current === undefined ? undefined : state.timelines.get(current);
  const unread = snapshot.unread.reduce<Unread>(
    (map, { conversation, messageIds }) => withUnread(map, conversation, messageIds),
    new Map(),
  );
  const newest = new Map<ConversationKey, Message | null>(snapshot.silent.map((conversation) => [conversation, null]));
  for (const message of snapshot.newest) {
    const conversation = conversationOf(message);
    if (conversation !== undefined) newest.set(conversation, message);
  }
  return {
    ...state,
    cursor: snapshot.cursor,
    users,
    formerNames: snapshot.formerNames,
    subscriptions,
    directs: new Map(snapshot.directs.map(({ conversation, newestId }) => [conversation, newestId])),
    newest,
    unread,
    flagged: { ...noneFlagged, mentioned: new Set(snapshot.mentioned) },
    alertWords: snapshot.alertWords,
    settings: snapshot.settings,
    typingTimes: snapshot.typingTimes,
    presences: new Map(snapshot.presences),
    presenceUpdate: snapshot.presenceUpdate,
    presenceSeconds: snapshot.presenceSeconds,
    statuses: new Map(snapshot.statuses.map(([userId, { text, busy, until }]) => [userId, { text, busy, until }])),
    now: snapshot.now,
    clockAhead: snapshot.clockAhead,
    receiptsShown: snapshot.receiptsShown,
    readCounts: new Map(),
    limits: snapshot.limits,
    maxMessageId: Math.max(state.maxMessageId, snapshot.maxMessageId),
    current,
    timelines:
      current === undefined || open === undefined
        ? new Map()
        : arrivedAt(state, new Map([[current, timelines.missed(open)]]), current, firstUnread(unread, state.reading, current)),
    outbox: state.outbox.filter(
      (each) => each.state !== 'sent' || (each.conversation === current && !isLost(each, snapshot.maxMessageId)),
    ),
  };
}

/** Whether the server had confirmed it and does not have it: its last messages were deleted, or a backup restored. */
function isLost({ messageId }: Outgoing, maxMessageId: number): boolean {
  return messageId !== undefined && messageId > maxMessageId;
}

// Events

export function happened(state: State, events: readonly ServerEvent[], cursor: Cursor): State {
  const flagged = events.reduce(flaggedAfter, state.flagged);
  return withoutExcess({ ...events.reduce(applied, state), flagged, cursor });
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
    case 'alert_words':
      return alertWordsChanged(state, event.alert_words);
    case 'realm':
      return realmChanged(state, event);
    case 'user_settings':
      return settingsChanged(state, event);
    case 'reaction':
      return rewritten(state, event);
    // Servers that do not know this form tell it in the answer to who says that they are there, within a minute.
    case 'presence':
      return event.presences ? presencesTold(state, event.presences) : state;
    case 'user_status':
      return statusTold(state, event);
    // It ends by the clock, which `typing.ts` looks at.
    case 'typing':
    // No screen shows the pointer; a heartbeat and the unknown only move the cursor.
    case 'pointer':
    // What it is about is asked for; see `sync.ts`.
    case 'directory':
    case 'heartbeat':
    case 'unknown':
      return state;
  }
}

function messageArrived(state: State, event: EventOf<'message'>): State {
  const { message, flags, local_message_id } = event;
  const conversation = conversationOf(message);
  const maxMessageId = Math.max(state.maxMessageId, message.id);
  if (conversation === undefined) return { ...state, maxMessageId };

  const own = local_message_id === undefined ? undefined : take(state.outbox, local_message_id);
  const outbox = own ? remove(state.outbox, own.localKey) : state.outbox;
  const isUnread = !flags.includes('read') && message.sender_id !== state.memberId;
  const timelines = timelinesAfter(state, event);
  return {
    ...state,
    maxMessageId,
    timelines: isUnread ? arrivedAt(state, timelines, conversation, message.id) : timelines,
    directs: isDirect(conversation) ? withEntry(state.directs, conversation, message.id) : state.directs,
    newest: newestAfter(state, conversation, message),
    unread: isUnread ? withUnread(state.unread, conversation, [message.id]) : state.unread,
    outbox: settled(outbox, state.memberId, conversation, [message]),
    sentAs: own ? withSentAs(state, message.id, own.localKey) : state.sentAs,
  };
}

/** Where reading will begin again in the open conversation, all of which has been read. */
function arrivedAt(
  { current, unread, reading }: State,
  timelines: State['timelines'],
  conversation: ConversationKey,
  messageId: number | undefined,
): State['timelines'] {
  const open = timelines.get(conversation);
  if (!open || conversation !== current || countUnread(unread, reading, conversation) > 0) return timelines;
  return withEntry(timelines, conversation, { ...open, arrivedSince: messageId });
}

function messageEdited(state: State, event: EventOf<'update_message'>): State {
  const edited = rewritten(state, event);
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
    ...rewritten(state, event),
    unread: withoutUnread(state.unread, ids),
    gone: new Set([...state.gone, ...ids].slice(-mostGone)),
    outbox: state.outbox.filter(({ messageId }) => messageId === undefined || !ids.includes(messageId)),
  };
}

function flagsChanged(state: State, event: EventOf<'update_message_flags'>): State {
  if (event.flag === 'starred') return rewritten(state, event);
  if (event.flag !== 'read') return state;
  if (event.op === 'add' && event.all) return { ...state, unread: new Map(), reading: new Set() };
  if (event.op === 'add') return readingConfirmed(state, event.messages);
  const byConversation = Map.groupBy(event.messages, (id) => placeOf(state, id, event.message_details?.[id]));
  return [...byConversation].reduce((marked, [conversation, ids]) => {
    if (conversation === undefined) return marked;
    // Whoever wants it unread on one device wants it so on all, also where it is in view.
    if (conversation === state.current) return unreadKept(marked, conversation, ids);
    return { ...marked, unread: withUnread(marked.unread, conversation, ids) };
  }, state);
}

type Details = NonNullable<EventOf<'update_message_flags'>['message_details']>[string];

function placeOf(state: State, id: number, { type, stream_id, user_ids }: Partial<Details> = {}): ConversationKey | undefined {
  const { memberId } = state;
  if (type === 'private' && user_ids && memberId !== undefined) return directOf([memberId, ...user_ids]);
  const known = stream_id === undefined ? knownMessage(state, id) : undefined;
  return known ? conversationOf(known) : stream_id;
}

function subscriptionChanged(state: State, event: EventOf<'subscription'>): State {
  switch (event.op) {
    case 'add':
      return event.subscriptions.reduce(
        (joined, each) => ({ ...joined, subscriptions: withEntry(subscriptionsOf(joined), each.stream_id, each) }),
        state,
      );
    case 'remove':
      return event.subscriptions.reduce((left, { stream_id }) => streamLost(left, stream_id, 'left'), state);
    case 'update':
      return propertySet(state, event.stream_id, event.property, event.value);
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
      return event.streams.reduce((left, { stream_id }) => streamLost(left, stream_id, 'closed'), state);
    case 'update':
      return propertySet(state, event.stream_id, event.property, event.value);
  }
}

function settingsChanged(state: State, { property, value }: EventOf<'user_settings'>): State {
  const { data: change } = userSettings.safeParse({ [property]: value });
  if (!change) return state;
  return settingsKept(state, change);
}

/** The member need not wait for the server to see what they have chosen. */
export function settingsAsked(state: State, change: SettingsChange): State {
  return { ...state, pendingSettings: [...state.pendingSettings, change] };
}

export function settingsKept(state: State, change: UserSettings): State {
  return { ...state, settings: { ...state.settings, ...change } };
}

/** @param change The very object that was asked for: what was chosen since may say the same, and still waits for its answer. */
export function settingsAnswered(state: State, change: SettingsChange): State {
  return { ...state, pendingSettings: state.pendingSettings.filter((each) => each !== change) };
}

function realmChanged(state: State, event: EventOf<'realm'>): State {
  if (event.op === 'update_dict') {
    const { enable_read_receipts: on, read_receipts } = event.data;
    const {
      message_content_edit_limit_seconds: edit = state.limits.edit,
      message_content_delete_limit_seconds: deletion = state.limits.delete,
    } = event.data;
    const limited = { ...state, limits: { edit, delete: deletion } };
    return receiptsChosen(limited, receiptsShownOf(on, read_receipts) ?? state.receiptsShown);
  }
  const { property, value } = event;
  if (property !== 'enable_read_receipts' || typeof value !== 'boolean') return state;
  return receiptsChosen(state, value ? 'own' : 'none');
}

/** The organisation shows those of other messages, or none. */
export function receiptsChosen(state: State, receiptsShown: ReadReceiptsShown): State {
  if (receiptsShown === state.receiptsShown) return state;
  return { ...state, receiptsShown, readCounts: receiptsShown === 'none' ? new Map() : state.readCounts };
}

export function readersForgotten(state: State): State {
  return { ...state, readCounts: new Map() };
}

// Who is there

/** @param update Up to where it is told, where that is said. */
export function presencesTold(state: State, presences: Presences, update = state.presenceUpdate): State {
  return { ...state, presences: seenAfter(state.presences, presences), presenceUpdate: update };
}

/** Whoever asks next asks for all of them. */
export function presencesForgotten(state: State): State {
  return { ...state, presences: new Map(), presenceUpdate: -1 };
}

/** The member themselves need not wait for the event that tells it. */
export function statusSet(state: State, status: Status | undefined): State {
  if (state.memberId === undefined) return state;
  return { ...state, statuses: withEntry(state.statuses, state.memberId, status) };
}

function statusTold(state: State, event: EventOf<'user_status'>): State {
  const status = statusAfter(state.statuses.get(event.user_id), event);
  return { ...state, statuses: withEntry(state.statuses, event.user_id, status) };
}

/** @param now Unix seconds by our own clock. */
export function clockLooked(state: State, now: number): State {
  return { ...state, now: now + state.clockAhead };
}

function userChanged(state: State, event: EventOf<'realm_user'>): State {
  if (event.op === 'add') return { ...state, users: withEntry(state.users, event.person.user_id, event.person) };
  const { user_id, full_name, avatar_url, delivery_email, timezone, new_email: email = event.person.email } = event.person;
  // Who has left is still the sender of what they wrote.
  const is_active = event.op === 'remove' ? false : event.person.is_active;
  const known = state.users.get(user_id);
  if (!known) return state;
  const changed = {
    ...known,
    ...(full_name === undefined ? {} : { full_name }),
    ...(avatar_url === undefined ? {} : { avatar_url }),
    ...(email === undefined ? {} : { email }),
    ...(delivery_email === undefined ? {} : { delivery_email }),
    ...(timezone === undefined ? {} : { timezone }),
    ...(is_active === undefined ? {} : { is_active }),
  };
  return withUser(state, known, changed);
}

function withUser(state: State, before: User, changed: User): State {
  const { user_id, full_name: name } = before;
  const isRenamed = name !== changed.full_name;
  return {
    ...state,
    users: withEntry(state.users, user_id, changed),
    formerNames: isRenamed ? [...state.formerNames, { user_id, name }] : state.formerNames,
  };
}

export function alertWordsChanged(state: State, alertWords: readonly string[]): State {
  return { ...state, alertWords };
}

// Conversations and pages

/** The divider is set where reading begins now, and stays until the conversation is left. */
export function opened(state: State, conversation: ConversationKey): State {
  if (!mayOpen(state, conversation)) return state;
  if (state.current === conversation) return isAtMessage(state, conversation) ? ledBack(state, conversation) : state;
  const divider = firstUnread(state.unread, state.reading, conversation);
  const known = state.timelines.get(conversation) ?? unloaded;
  const timeline = known.foundNewest ? known : unloaded;
  return withoutExcess({
    ...state,
    current: conversation,
    readCounts: new Map(),
    // As it was before the page was loaded anew.
    keptUnread: state.current === undefined && state.keptUnread === conversation ? conversation : undefined,
    timelines: withEntry(state.timelines, conversation, {
      ...timeline,
      destination: undefined,
      // What failed the last time is worth another try now.
      failure: undefined,
      firstUnread: divider,
      arrivedSince: undefined,
    }),
  });
}

/** Other than where reading goes on, which is where a stream opens anyway. */
function isAtMessage({ timelines }: State, conversation: ConversationKey): boolean {
  const { destination } = timelines.get(conversation) ?? unloaded;
  return typeof destination?.to === 'number' && !destination.readsOn;
}

/** From a message that somebody looked for, as the conversation opens: where reading goes on, or at its newest messages. */
function ledBack(state: State, conversation: ConversationKey): State {
  const divider = firstUnread(state.unread, state.reading, conversation);
  if (divider === undefined) return ledTo(state, conversation, 'newest');
  const divided = withTimeline(state, conversation, (open) => ({ ...open, firstUnread: divider, arrivedSince: undefined }));
  return ledTo(divided, conversation, divider, true);
}

/** The conversation is open, at a message. */
export function openedAt(state: State, conversation: ConversationKey, messageId: number): State {
  if (!mayOpen(state, conversation)) return state;
  return ledTo(state.current === conversation ? state : opened(state, conversation), conversation, messageId);
}

/** The reader wants to be at a message of the conversation, or at its newest; `readsOn`: at where they have not read on. */
export function ledTo(state: State, conversation: ConversationKey, to: number | 'newest', readsOn = false): State {
  return withTimeline(state, conversation, (timeline) => timelines.ledTo(timeline, { to, readsOn }));
}

/** The conversation is open, where its reader has left it. */
export function returnedTo(state: State, { conversation, messageId, top }: ReadingPlace): State {
  if (!mayOpen(state, conversation)) return state;
  const there = state.current === conversation ? state : opened(state, conversation);
  return withTimeline(there, conversation, (timeline) => timelines.ledTo(timeline, { to: messageId, readsOn: false, top }));
}

export function pageAsked(state: State, conversation: ConversationKey, which: Load): State {
  return withTimeline(state, conversation, (timeline) => timelines.asked(timeline, which));
}

export function pageArrived(state: State, conversation: ConversationKey, page: Page): State {
  const older = state.timelines.get(conversation)?.loading === 'older';
  const filled = withTimeline(state, conversation, (timeline) => timelines.arrived(timeline, conversation, page));
  const { messages = [], foundNewest = false } = filled.timelines.get(conversation) ?? {};
  const newest = messages.at(-1);
  const newestId = newest?.id ?? 0;
  // What was sent, is older than the newest and is not there has been deleted meanwhile.
  const outbox = state.outbox.filter(
    (each) => each.conversation !== conversation || each.state !== 'sent' || (each.messageId ?? Infinity) > newestId,
  );
  return withoutExcess({
    ...filled,
    maxMessageId: Math.max(state.maxMessageId, newestId),
    newest: older || !foundNewest ? state.newest : newestAfter(state, conversation, newest ?? null),
    outbox: settled(outbox, state.memberId, conversation, messages),
  });
}

export function pageFailed(state: State, conversation: ConversationKey, failure: Failure): State {
  return withTimeline(state, conversation, (timeline) => timelines.failed(timeline, failure));
}

export function previewArrived(state: State, conversation: ConversationKey, message: Message | null): State {
  return { ...state, newest: newestAfter(state, conversation, message) };
}

// Reading

/** The reader has come to what arrived while they were elsewhere: the divider moves there. */
export function readingResumed(state: State, conversation: ConversationKey): State {
  const { arrivedSince } = state.timelines.get(conversation) ?? unloaded;
  return arrivedSince === undefined
    ? state
    : withTimeline(state, conversation, (timeline) => ({ ...timeline, firstUnread: arrivedSince, arrivedSince: undefined }));
}

/** They have seen it arrive: no divider stands above it. */
export function arrivalSeen(state: State, conversation: ConversationKey): State {
  const { arrivedSince } = state.timelines.get(conversation) ?? unloaded;
  return arrivedSince === undefined
    ? state
    : withTimeline(state, conversation, (timeline) => ({ ...timeline, arrivedSince: undefined }));
}

export function readingBegan(state: State, ids: Iterable<number>): State {
  return { ...state, reading: state.reading.union(new Set(ids)) };
}

export function readingConfirmed(state: State, ids: readonly number[]): State {
  return { ...readingRefused(state, ids), unread: withoutUnread(state.unread, ids) };
}

export function readingRefused(state: State, ids: readonly number[]): State {
  return { ...state, reading: state.reading.difference(new Set(ids)) };
}

/** Somebody writes there, or no longer does. */
export function typingBecame(state: State, conversation: ConversationKey, userId: number, writes: boolean): State {
  const known = state.typing.get(conversation) ?? [];
  if (known.includes(userId) === writes) return state;
  const now = writes ? [...known, userId] : known.filter((each) => each !== userId);
  return { ...state, typing: withEntry(state.typing, conversation, now.length === 0 ? undefined : now) };
}

// Receipts

export function readersCounted(state: State, counts: Iterable<readonly [messageId: number, count: number]>): State {
  return { ...state, readCounts: new Map([...state.readCounts, ...counts]) };
}

/** The server is asked to make the message and what follows unread again: nobody reads it until there is an answer. */
export function readingHeld(state: State, conversation: ConversationKey, messageId: number): State {
  const untold = [...unreadIn(state.unread, conversation)].filter((id) => id >= messageId);
  return { ...readingRefused(state, untold), unreading: [...state.unreading, conversation] };
}

export function readingLetGo(state: State, conversation: ConversationKey): State {
  return { ...state, unreading: state.unreading.toSpliced(state.unreading.indexOf(conversation), 1) };
}

/**
 * The messages are unread again at the member's own wish: the divider stands above them, and they stay so until the
 * conversation is left, though the member sees them.
 */
export function unreadKept(state: State, conversation: ConversationKey, ids: readonly number[]): State {
  if (ids.length === 0) return state;
  const unread = withUnread(state.unread, conversation, ids);
  const kept = { ...readingRefused(state, ids), unread, keptUnread: conversation };
  const divider = firstUnread(unread, kept.reading, conversation);
  return withTimeline(kept, conversation, (timeline) => ({ ...timeline, firstUnread: divider }));
}

// What the member has done to messages, before the events that tell of it

/** @param now Unix seconds. */
export function messageCorrected(state: State, messageId: number, content: string, now: number): State {
  // Which flags the new text gives it, the event will say; a star stays in any case.
  const flags = [...(knownMessage(state, messageId)?.flags ?? [])];
  const change = { id: 0, message_id: messageId, message_ids: [messageId], flags, edit_timestamp: now, content };
  return messageEdited(state, { ...change, type: 'update_message' });
}

export function messageRemoved(state: State, messageId: number): State {
  return messagesDeleted(state, { id: 0, type: 'delete_message', message_type: 'stream', message_ids: [messageId] });
}

/** Whether the member reacts with the emoji. */
export function reactionSet(state: State, messageId: number, { name, code, type }: Emoji, set: boolean): State {
  if (state.memberId === undefined) return state;
  const emoji = { emoji_name: name, emoji_code: code, reaction_type: type, user_id: state.memberId };
  return rewritten(state, { id: 0, type: 'reaction', op: set ? 'add' : 'remove', message_id: messageId, ...emoji });
}

export function starSet(state: State, messageId: number, starred: boolean): State {
  const op = starred ? 'add' : 'remove';
  return flagsChanged(state, { id: 0, type: 'update_message_flags', op, flag: 'starred', messages: [messageId], all: false });
}

// The outbox

/** Whoever writes in a conversation has read it. */
export function queued(state: State, outgoing: readonly Outgoing[]): State {
  const keptUnread = outgoing.some(({ conversation }) => conversation === state.keptUnread) ? undefined : state.keptUnread;
  return { ...state, keptUnread, outbox: [...state.outbox, ...outgoing] };
}

export function attempted(state: State, localKey: string): State {
  const afterId = take(state.outbox, localKey)?.afterId ?? state.maxMessageId;
  return withOutgoing(state, localKey, { state: 'sending', failure: undefined, afterId });
}

export function progressed(state: State, localKey: string, progress: number): State {
  return withOutgoing(state, localKey, { progress });
}

export function uploaded(state: State, localKey: string, fileMessage: FileMessage): State {
  const files = withEntry(state.ownFiles, fileMessage.storedName, take(state.outbox, localKey)?.file);
  const ownFiles = new Map([...files].slice(-mostOwnFiles));
  return withOutgoing({ ...state, ownFiles }, localKey, { fileMessage, progress: undefined });
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
  const timeline = state.timelines.get(outgoing.conversation) ?? unloaded;
  const isThere = timelines.find(timeline.messages ?? [], messageId) !== undefined;
  const isNowhere = timeline.messages === undefined && timeline.loading === undefined;
  const answered = { ...state, maxMessageId: Math.max(state.maxMessageId, messageId) };
  if (isThere || isNowhere) return discarded(answered, localKey);
  const changes = { state: 'sent', messageId, failure: undefined, progress: undefined } as const;
  return { ...withOutgoing(answered, localKey, changes), sentAs: withSentAs(state, messageId, localKey) };
}

/** The row that stands for what was sent becomes that of the message: who stands in it or is about to press it stays there. */
function withSentAs({ sentAs }: State, messageId: number, localKey: string): State['sentAs'] {
  return new Map([...sentAs, [messageId, localKey] as const].slice(-mostSentAs));
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

/** What a stream is, or a member's subscription to it. What has not its form, or is not known here, changes nothing. */
export function propertySet(state: State, streamId: number, property: string, value: unknown): State {
  const known = state.subscriptions?.get(streamId);
  const changed = known && subscription.safeParse({ ...known, [property]: value });
  return changed?.success ? withSubscription(state, streamId, changed.data) : state;
}

function streamLost(state: State, streamId: number, how: LostStream['how']): State {
  const lost = state.subscriptions?.get(streamId);
  return {
    ...state,
    lostStream: lost ? { streamId, name: lost.name, how } : state.lostStream,
    subscriptions: withEntry(subscriptionsOf(state), streamId, undefined),
    timelines: withEntry(state.timelines, streamId, undefined),
    // We hear nothing of it any more: should it come back, somebody has to look again.
    newest: withEntry(state.newest, streamId, undefined),
    unread: withEntry(state.unread, streamId, undefined),
    current: state.current === streamId ? undefined : state.current,
  };
}

function withTimeline(state: State, conversation: ConversationKey, change: (timeline: TimelineState) => TimelineState): State {
  const timeline = state.timelines.get(conversation) ?? unloaded;
  return { ...state, timelines: withEntry(state.timelines, conversation, change(timeline)) };
}

function withOutgoing(state: State, localKey: string, changes: Partial<Outgoing>): State {
  return { ...state, outbox: change(state.outbox, localKey, changes) };
}

/** The messages that are there, after an event that changes some of them. */
function rewritten(state: State, event: MessageChange): State {
  return { ...state, timelines: timelinesAfter(state, event), newest: rewrittenNewest(state, event) };
}

function timelinesAfter(state: State, event: MessageChange): ReadonlyMap<ConversationKey, TimelineState> {
  let changed = state.timelines;
  for (const [conversation, timeline] of state.timelines) {
    const after = timelines.changed(timeline, conversation, event);
    if (after !== timeline) changed = withEntry(changed, conversation, after);
  }
  return changed;
}

/** A tab may stay open for weeks: what nobody looks at does not grow without bound. */
function withoutExcess(state: State): State {
  let kept = state.timelines;
  for (const [conversation, timeline] of state.timelines) {
    const short = conversation === state.current ? timeline : timelines.trimmed(timeline);
    if (short !== timeline) kept = withEntry(kept, conversation, short);
  }
  return kept === state.timelines ? state : { ...state, timelines: kept };
}

function newestAfter(
  state: State,
  conversation: ConversationKey,
  message: Message | null,
): ReadonlyMap<ConversationKey, Message | null> {
  const known = state.newest.get(conversation);
  const isNewer = !known || (message !== null && message.id >= known.id);
  return isNewer ? withEntry(state.newest, conversation, message) : state.newest;
}

function rewrittenNewest(state: State, event: MessageChange): ReadonlyMap<ConversationKey, Message | null> {
  let changed = state.newest;
  for (const [conversation, message] of state.newest) {
    const after = message && timelines.rewrittenBy(message, event);
    if (after !== message) changed = withEntry(changed, conversation, after);
  }
  return changed;
}

function knownMessage(state: State, id: number): Message | undefined {
  for (const { messages = [] } of state.timelines.values()) {
    const message = timelines.find(messages, id);
    if (message) return message;
  }
  return state.newest.values().find((message) => message?.id === id) ?? undefined;
}
