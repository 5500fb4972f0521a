/** The messages of one conversation and the changes to them. Pure functions. */
import type { AnswerOut, KnownEvent, Message, getMessages } from '@engawa/protocol';
import { conversationOf, type ConversationKey } from '../streams/conversation.ts';
import type { Failure } from '../connection/failure.ts';

/** The message that the reader asked to see; a new object per request, so that the same request scrolls again. */
export interface Destination {
  readonly to: number | 'newest';
  /** `gone`: the message does not exist, or the member may not read it. */
  readonly state: 'sought' | 'found' | 'gone';
  /** The destination is the first unread message, not one that was requested. */
  readonly readsOn: boolean;
  /** Pixels between the upper edge of the list and the message, if the reader returns to a reading position. */
  readonly top?: number | undefined;
}

export type Page = AnswerOut<typeof getMessages>;

export type MessageChange = Extract<
  KnownEvent,
  { type: 'message' | 'update_message' | 'delete_message' | 'reaction' | 'update_message_flags' }
>;

type EventOf<Type extends MessageChange['type']> = Extract<MessageChange, { type: Type }>;

export type Load = 'newest' | 'older' | 'newer' | 'around';

export interface TimelineState {
  /** By rising id and without a gap; undefined before the first page is loaded. */
  readonly messages: readonly Message[] | undefined;
  readonly foundOldest: boolean;
  /** Whether `messages` end with the newest of the conversation. If not, new ones are not added, because of the gap. */
  readonly foundNewest: boolean;
  readonly loading: Load | undefined;
  readonly failed: Load | undefined;
  readonly destination: Destination | undefined;
  /** Whether events were missed. The messages stay on the screen until they are loaded again. */
  readonly stale: boolean;
  /** Changes since a page was requested. They are applied to the page, because the server may have read it before them. */
  readonly held: readonly MessageChange[];
  readonly failure: Failure | undefined;
  readonly firstUnread: number | undefined;
  /** The first message that arrived after all others were read. The unread divider moves there when the reader reaches it. */
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

/** A timeline of more than `most` messages keeps `kept` of them. The others can be loaded again. */
interface Bounds {
  readonly most: number;
  readonly kept: number;
}

/** `unshown`: the list of messages trims the open conversation around the reader, but a narrow window may show another screen. */
export const bounds = {
  closed: { most: 500, kept: 100 },
  open: { most: 2000, kept: 1000 },
  unshown: { most: 5000, kept: 1000 },
} satisfies Record<string, Bounds>;

export function needsLoading({ messages, stale, destination, loading, failure }: TimelineState): boolean {
  const lacksSome = messages === undefined || stale || destination?.state === 'sought';
  return lacksSome && loading === undefined && failure === undefined;
}

export function ledTo(timeline: TimelineState, request: Omit<Destination, 'state'>): TimelineState {
  const { messages, foundNewest, destination } = timeline;
  const { to, readsOn, top } = request;
  const isSame = destination?.to === to && destination.readsOn === readsOn && destination.top === top;
  const isSought = isSame && destination.state === 'sought';
  if (isSought && !timeline.failure) return timeline;
  const isThere = messages !== undefined && (to === 'newest' ? foundNewest : find(messages, to) !== undefined);
  // A page around another message is still being loaded. It would replace the loaded messages, so it is ignored.
  const kept = timeline.loading === 'around' ? settled(timeline) : timeline;
  if (isThere) return { ...kept, destination: { ...request, state: 'found' } };
  return { ...settled(timeline), destination: { ...request, state: 'sought' } };
}

export function requested(timeline: TimelineState, loading: Load): TimelineState {
  return { ...settled(timeline), loading };
}

export function failed(timeline: TimelineState, failure: Failure): TimelineState {
  return { ...settled(timeline), failure, failed: timeline.loading };
}

export function arrived(timeline: TimelineState, conversation: ConversationKey, page: Page): TimelineState {
  const { loading, held, destination } = timeline;
  if (loading === undefined) return timeline;
  const soughtId =
    loading === 'around' && destination?.state === 'sought' && destination.to !== 'newest' ? destination.to : undefined;
  // The server has deleted the message, so the messages around its id are not shown.
  if (soughtId !== undefined && !find(page.messages, soughtId)) {
    const { readsOn = false, top } = destination ?? {};
    // A reader who only returns to a reading position is not told that the message is gone.
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

/** After missed events, the messages must be loaded again. */
export function missed(timeline: TimelineState): TimelineState {
  return { ...settled(timeline), stale: true };
}

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
    // The event does not contain the text of the moved message, which may belong between loaded ones.
    if (event.new_stream_id === conversation) return { ...timeline, stale: true };
    if (event.stream_id === conversation) return { ...timeline, messages: without(messages, event.message_ids) };
  }
  const rewritten = rewrittenIn(messages, event);
  return rewritten === messages ? timeline : { ...timeline, messages: rewritten };
}

/**
 * Drops messages of a long timeline. Changes nothing during a load.
 * @param around The id of the message in the middle of those that are kept; without it these are the newest.
 */
export function trimmed(timeline: TimelineState, { most, kept }: Bounds, around = Infinity): TimelineState {
  const { messages, loading, foundOldest, foundNewest } = timeline;
  if (messages === undefined || messages.length <= most || loading) return timeline;
  const last = messages.length - kept;
  const from = Math.min(Math.max(placeOf(messages, around) - kept / 2, 0), last);
  return {
    ...timeline,
    messages: messages.slice(from, from + kept),
    foundOldest: foundOldest && from === 0,
    foundNewest: foundNewest && from === last,
  };
}

/** The message after an event; the identical object if the event does not change it. */
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

/** Only stars are stored with the message. Which messages are unread is stored per conversation. */
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
