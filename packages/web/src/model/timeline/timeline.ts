/** The messages of one conversation and what happens to them. Pure. */
import type { AnswerOut, KnownEvent, Message, getMessages } from '@engawa/protocol';
import { conversationOf, type ConversationKey } from '../streams/conversation.ts';
import type { Failure } from '../connection/failure.ts';

/** Where the reader asked to be taken; another object each time that they ask. */
export interface Destination {
  readonly to: number | 'newest';
  /** `gone`: the message is not there, or the member may not read it. */
  readonly state: 'sought' | 'found' | 'gone';
  /** It is where reading goes on, and not what somebody looked for. */
  readonly readsOn: boolean;
  /** Where they come back to what they have left: so many pixels below the upper edge of the window. */
  readonly top?: number | undefined;
}

export type Page = AnswerOut<typeof getMessages>;

/** The events that change messages. */
export type MessageChange = Extract<
  KnownEvent,
  { type: 'message' | 'update_message' | 'delete_message' | 'reaction' | 'update_message_flags' }
>;

type EventOf<Type extends MessageChange['type']> = Extract<MessageChange, { type: Type }>;

/** What is fetched: the newest messages, a page before or after those that are there, or those around one. */
export type Load = 'newest' | 'older' | 'newer' | 'around';

export interface TimelineState {
  /** By rising id and without a gap; undefined before the first page. */
  readonly messages: readonly Message[] | undefined;
  readonly foundOldest: boolean;
  /** Whether `messages` end with the conversation's newest. Where they do not, what arrives would stand behind a gap. */
  readonly foundNewest: boolean;
  readonly loading: Load | undefined;
  /** What it was that failed. */
  readonly failed: Load | undefined;
  readonly destination: Destination | undefined;
  /** Whether events were missed, so that all of it must be fetched again. It stays on the screen meanwhile. */
  readonly stale: boolean;
  /** Nobody can tell whether a page that is on its way was read before or after these: they are applied to it again. */
  readonly held: readonly MessageChange[];
  readonly failure: Failure | undefined;
  readonly firstUnread: number | undefined;
  /** The first that came when all before it was read: the divider moves there when the reader comes to it. */
  readonly arrivedSince: number | undefined;
}

export const unloaded: TimelineState = {
  messages: undefined,
  foundOldest: false,
  foundNewest: true,
  loading: undefined,
  failed: undefined,
  destination: undefined,
  stale: false,
  held: [],
  failure: undefined,
  firstUnread: undefined,
  arrivedSince: undefined,
};

/** So many messages a conversation may hold that is not open, and so many it keeps when it holds more. */
const mostUnseen = 500;
const keptUnseen = 100;

export function needsLoading({ messages, stale, destination, loading, failure }: TimelineState): boolean {
  const lacksSome = messages === undefined || stale || destination?.state === 'sought';
  return lacksSome && loading === undefined && failure === undefined;
}

/** What is on its way is no longer wanted where the destination is not in sight. */
export function ledTo(timeline: TimelineState, wish: Omit<Destination, 'state'>): TimelineState {
  const { messages, foundNewest, destination } = timeline;
  const { to, readsOn, top } = wish;
  const isSame = destination?.to === to && destination.readsOn === readsOn && destination.top === top;
  const isSought = isSame && destination.state === 'sought';
  if (isSought && !timeline.failure) return timeline;
  const isThere = messages !== undefined && (to === 'newest' ? foundNewest : find(messages, to) !== undefined);
  // A page around somewhere else would take the place of what is there.
  const kept = timeline.loading === 'around' ? settled(timeline) : timeline;
  if (isThere) return { ...kept, destination: { ...wish, state: 'found' } };
  return { ...settled(timeline), destination: { ...wish, state: 'sought' } };
}

export function requested(timeline: TimelineState, loading: Load): TimelineState {
  return { ...settled(timeline), loading };
}

export function failed(timeline: TimelineState, failure: Failure): TimelineState {
  return { ...settled(timeline), failure, failed: timeline.loading };
}

export function arrived(timeline: TimelineState, conversation: ConversationKey, page: Page): TimelineState {
  const { loading, held, destination } = timeline;
  // It was given up.
  if (loading === undefined) return timeline;
  const soughtId =
    loading === 'around' && destination?.state === 'sought' && destination.to !== 'newest' ? destination.to : undefined;
  // What stands around a message that is gone is not what anybody asked for.
  if (soughtId !== undefined && !find(page.messages, soughtId)) {
    const { readsOn = false, top } = destination ?? {};
    // Who comes back has not asked for it, and need not be told.
    if (top !== undefined) return { ...settled(timeline), destination: undefined };
    return { ...settled(timeline), destination: { to: soughtId, state: 'gone', readsOn } };
  }
  const filled = { ...settled(timeline), ...withPage(timeline, page) };
  return held.reduce((state, event) => changed(state, conversation, event), filled);
}

function withPage({ loading, messages = [], destination }: TimelineState, page: Page): Partial<TimelineState> {
  const { found_oldest: foundOldest, found_newest: foundNewest } = page;
  switch (loading) {
    case 'older':
      return { messages: joined(page.messages, messages), foundOldest };
    case 'newer':
      return { messages: joined(messages, page.messages), foundNewest };
    case 'around':
      return { messages: page.messages, foundOldest, foundNewest, stale: false, destination: reached(destination) };
    case 'newest':
    case undefined:
      return { messages: page.messages, foundOldest, foundNewest: true, stale: false, destination: reached(destination) };
  }
}

function reached(destination: Destination | undefined): Destination | undefined {
  return destination?.state === 'sought' ? { ...destination, state: 'found' } : destination;
}

/** Events were missed: all of it is to be fetched again. */
export function missed(timeline: TimelineState): TimelineState {
  return { ...settled(timeline), stale: true };
}

/** Nothing is on its way any more. */
function settled(timeline: TimelineState): TimelineState {
  return { ...timeline, loading: undefined, held: [], failure: undefined, failed: undefined };
}

export function changed(timeline: TimelineState, conversation: ConversationKey, event: MessageChange): TimelineState {
  const held = timeline.loading ? [...timeline.held, event] : timeline.held;
  return applied(timeline.loading ? { ...timeline, held } : timeline, conversation, event);
}

function applied(timeline: TimelineState, conversation: ConversationKey, event: MessageChange): TimelineState {
  const { messages } = timeline;
  if (messages === undefined) return timeline;
  if (event.type === 'message') {
    const isHere = conversationOf(event.message) === conversation && timeline.foundNewest;
    return isHere ? { ...timeline, messages: inserted(messages, { ...event.message, flags: event.flags }) } : timeline;
  }
  if (event.type === 'update_message' && event.new_stream_id !== undefined && event.new_stream_id !== event.stream_id) {
    // What moves in may belong between messages that are loaded, and the event does not hold its text.
    if (event.new_stream_id === conversation) return { ...timeline, stale: true };
    if (event.stream_id === conversation) return { ...timeline, messages: without(messages, event.message_ids) };
  }
  const rewritten = rewrittenIn(messages, event);
  return rewritten === messages ? timeline : { ...timeline, messages: rewritten };
}

/** A long timeline without its older messages, which can be loaded again; not while a page is on its way to it. */
export function trimmed(timeline: TimelineState): TimelineState {
  const { messages, loading } = timeline;
  if (messages === undefined || messages.length <= mostUnseen || loading) return timeline;
  return { ...timeline, messages: messages.slice(-keptUnseen), foundOldest: false };
}

/** A message after an event that changes it; the same object when the event leaves it alone. */
export function rewrittenBy(message: Message, event: MessageChange): Message {
  if (event.type === 'message' || !idsOf(event).includes(message.id)) return message;
  switch (event.type) {
    case 'delete_message':
      return { ...message, content: '', deleted: true, reactions: [] };
    case 'update_message':
      return corrected(message, event);
    case 'reaction':
      return withReaction(message, event);
    case 'update_message_flags':
      return withFlag(message, event);
  }
}

function corrected(message: Message, event: EventOf<'update_message'>): Message {
  const subject = event.subject ?? message.subject;
  if (message.id !== event.message_id || event.content === undefined || event.rendering_only) {
    return subject === message.subject ? message : { ...message, subject };
  }
  const { content, flags, edit_timestamp: last_edit_timestamp } = event;
  return { ...message, subject, content, flags, last_edit_timestamp };
}

function withReaction(message: Message, event: EventOf<'reaction'>): Message {
  const { op, emoji_name, emoji_code, reaction_type, user_id } = event;
  const others = message.reactions.filter(
    (each) => each.user_id !== user_id || each.emoji_code !== emoji_code || each.reaction_type !== reaction_type,
  );
  const isThere = others.length < message.reactions.length;
  if (op === 'remove') return isThere ? { ...message, reactions: others } : message;
  if (isThere) return message;
  return { ...message, reactions: [...message.reactions, { emoji_name, emoji_code, reaction_type, user_id }] };
}

/** Only stars are kept with the message: what is unread is told for all of them together. */
function withFlag(message: Message, { op, flag }: EventOf<'update_message_flags'>): Message {
  const flags = message.flags ?? [];
  if (flag !== 'starred' || flags.includes(flag) === (op === 'add')) return message;
  return { ...message, flags: op === 'add' ? [...flags, flag] : flags.filter((each) => each !== flag) };
}

function idsOf(event: Exclude<MessageChange, { type: 'message' }>): readonly number[] {
  if (event.type === 'reaction') return [event.message_id];
  if (event.type === 'update_message_flags') return event.messages;
  return event.message_ids ?? (event.message_id === undefined ? [] : [event.message_id]);
}

export function find(messages: readonly Message[], id: number): Message | undefined {
  const message = messages[placeOf(messages, id)];
  return message?.id === id ? message : undefined;
}

function rewrittenIn(messages: readonly Message[], event: MessageChange): readonly Message[] {
  if (event.type === 'message') return messages;
  let rewritten = messages;
  for (const id of idsOf(event)) {
    const place = placeOf(rewritten, id);
    const message = rewritten[place];
    if (message?.id === id) rewritten = rewritten.with(place, rewrittenBy(message, event));
  }
  return rewritten;
}

function inserted(messages: readonly Message[], message: Message): readonly Message[] {
  const place = placeOf(messages, message.id);
  const known = messages[place]?.id === message.id ? 1 : 0;
  return messages.toSpliced(place, known, message);
}

function without(messages: readonly Message[], ids: readonly number[]): readonly Message[] {
  const gone = new Set(ids);
  return messages.filter(({ id }) => !gone.has(id));
}

function joined(older: readonly Message[], newer: readonly Message[]): readonly Message[] {
  const oldest = newer[0]?.id ?? Infinity;
  return [...older.filter(({ id }) => id < oldest), ...newer];
}

/** Where the id is or would be. */
function placeOf(messages: readonly Message[], id: number): number {
  let low = 0;
  let high = messages.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((messages[middle]?.id ?? Infinity) < id) low = middle + 1;
    else high = middle;
  }
  return low;
}
