/** The messages of one stream and what happens to them. Pure. */
import type { AnswerOut, KnownEvent, Message, getMessages } from '@engawa/protocol';
import type { Failure } from './view.ts';

export type Page = AnswerOut<typeof getMessages>;

/** The events that change messages. */
export type MessageChange = Extract<KnownEvent, { type: 'message' | 'update_message' | 'delete_message' }>;

export interface TimelineState {
  /** By rising id, and without a gap up to the stream's newest; undefined before the first page. */
  readonly messages: readonly Message[] | undefined;
  readonly foundOldest: boolean;
  readonly loading: 'newest' | 'older' | undefined;
  /** Whether events were missed, so that all of it must be fetched again. It stays on the screen meanwhile. */
  readonly stale: boolean;
  /** Nobody can tell whether a page that is on its way was read before or after these: they are applied to it again. */
  readonly held: readonly MessageChange[];
  readonly failure: Failure | undefined;
  readonly firstUnread: number | undefined;
}

export const unloaded: TimelineState = {
  messages: undefined,
  foundOldest: false,
  loading: undefined,
  stale: false,
  held: [],
  failure: undefined,
  firstUnread: undefined,
};

/** So many messages a stream may hold that is not open, and so many it keeps when it holds more. */
const mostUnseen = 500;
const keptUnseen = 100;

export function needsLoading({ messages, stale, loading, failure }: TimelineState): boolean {
  return (messages === undefined || stale) && loading === undefined && failure === undefined;
}

export function asked(timeline: TimelineState, loading: 'newest' | 'older'): TimelineState {
  return { ...timeline, loading, held: [], failure: undefined };
}

export function failed(timeline: TimelineState, failure: Failure): TimelineState {
  return { ...timeline, loading: undefined, held: [], failure };
}

export function arrived(timeline: TimelineState, streamId: number, page: Page): TimelineState {
  const { loading, held, messages = [] } = timeline;
  const older = loading === 'older';
  const filled: TimelineState = {
    ...timeline,
    messages: older ? joined(page.messages, messages) : page.messages,
    foundOldest: page.found_oldest,
    loading: undefined,
    stale: older && timeline.stale,
    held: [],
    failure: undefined,
  };
  return held.reduce((state, event) => changed(state, streamId, event), filled);
}

export function changed(timeline: TimelineState, streamId: number, event: MessageChange): TimelineState {
  const held = timeline.loading ? [...timeline.held, event] : timeline.held;
  return applied(timeline.loading ? { ...timeline, held } : timeline, streamId, event);
}

function applied(timeline: TimelineState, streamId: number, event: MessageChange): TimelineState {
  const { messages } = timeline;
  if (messages === undefined) return timeline;
  if (event.type === 'message') {
    const isHere = event.message.stream_id === streamId;
    return isHere ? { ...timeline, messages: inserted(messages, event.message) } : timeline;
  }
  if (event.type === 'update_message' && event.new_stream_id !== undefined && event.new_stream_id !== event.stream_id) {
    // What moves in may belong between messages that are loaded, and the event does not hold its text.
    if (event.new_stream_id === streamId) return { ...timeline, stale: true };
    if (event.stream_id === streamId) return { ...timeline, messages: without(messages, event.message_ids) };
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

/** A message after an event that edits or deletes it; the same object when the event leaves it alone. */
export function rewrittenBy(message: Message, event: MessageChange): Message {
  if (event.type === 'message' || !idsOf(event).includes(message.id)) return message;
  if (event.type === 'delete_message') return { ...message, content: '', deleted: true };
  const subject = event.subject ?? message.subject;
  if (message.id !== event.message_id || event.content === undefined || event.rendering_only) {
    return subject === message.subject ? message : { ...message, subject };
  }
  return { ...message, subject, content: event.content, last_edit_timestamp: event.edit_timestamp };
}

export function idsOf(event: Exclude<MessageChange, { type: 'message' }>): readonly number[] {
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
