import type { AnswerOut, ServerEvent, Subscription, registerQueue } from '@engawa/protocol';
import type { HeldQueue } from '../testing/queue.ts';
import { ascending } from './model.ts';
import type { QueueKind } from './step.ts';

/** What a client knows of its member's chat. A part that it did not ask for is undefined. */
export interface State {
  /** In which stream each unread message is: what a screen counts by. */
  readonly unread: ReadonlyMap<number, number> | undefined;
  readonly starred: ReadonlySet<number> | undefined;
  readonly maxMessageId: number | undefined;
  readonly subscriptions: ReadonlyMap<number, Subscribed> | undefined;
}

interface Subscribed {
  readonly name: string;
  readonly firstMessageId: number | null;
  readonly subscribers: readonly number[];
}

/** A client that follows one queue: what register answered, changed by every event since. */
export interface Follower {
  readonly member: string;
  readonly kind: QueueKind;
  readonly queue: HeldQueue;
  /** How much its member had been told when it registered. */
  readonly since: number;
  /** Every event once. */
  readonly heard: ServerEvent[];
  state: State;
  /** A poll that waits. */
  parked: Promise<ServerEvent[]> | undefined;
}

export function stateOf(answer: AnswerOut<typeof registerQueue>): State {
  const subscriptions = answer.subscriptions?.map((each) => [each.stream_id, subscribed(each)] as const);
  const unread = answer.unread_msgs?.streams.flatMap(({ stream_id, unread_message_ids }) =>
    unread_message_ids.map((id) => [id, stream_id] as const),
  );
  return {
    unread: unread && new Map(unread),
    starred: answer.starred_messages && new Set(answer.starred_messages),
    maxMessageId: answer.max_message_id,
    subscriptions: subscriptions && new Map(subscriptions),
  };
}

function subscribed(each: Subscription): Subscribed {
  return { name: each.name, firstMessageId: each.first_message_id, subscribers: ascending(each.subscribers ?? []) };
}

/** The state after one more event, as any client would have it. */
export function after(state: State, event: ServerEvent): State {
  if (event.type === 'message') return afterMessage(state, event);
  if (event.type === 'update_message_flags') return afterFlags(state, event);
  if (event.type === 'subscription') return afterSubscription(state, event);
  return state;
}

type Of<Type> = Extract<ServerEvent, { type: Type }>;

function afterMessage(state: State, { message, flags }: Of<'message'>): State {
  const { id, stream_id: streamId } = message;
  const stream = streamId === undefined ? undefined : state.subscriptions?.get(streamId);
  return {
    unread: flags.includes('read') ? state.unread : placed(state.unread, [[id, streamId ?? 0]]),
    starred: withIf(flags.includes('starred'), state.starred, [id]),
    maxMessageId: state.maxMessageId === undefined ? undefined : Math.max(state.maxMessageId, id),
    subscriptions:
      stream && streamId !== undefined && stream.firstMessageId === null
        ? new Map([...(state.subscriptions ?? []), [streamId, { ...stream, firstMessageId: id }]])
        : state.subscriptions,
  };
}

function afterFlags(state: State, { op, flag, messages, message_details }: Of<'update_message_flags'>): State {
  if (flag === 'starred') return { ...state, starred: withIf(op === 'add', state.starred, messages) };
  if (op === 'remove') {
    const places = messages.map((id) => [id, message_details?.[id]?.stream_id ?? 0] as const);
    return { ...state, unread: placed(state.unread, places) };
  }
  const read = new Set(messages);
  return { ...state, unread: state.unread && new Map([...state.unread].filter(([id]) => !read.has(id))) };
}

function placed(unread: State['unread'], more: readonly (readonly [id: number, streamId: number])[]): State['unread'] {
  return unread && new Map([...unread, ...more]);
}

function afterSubscription(state: State, event: Of<'subscription'>): State {
  if (!state.subscriptions) return state;
  const subscriptions = new Map(state.subscriptions);
  if (event.op === 'add') {
    for (const each of event.subscriptions) subscriptions.set(each.stream_id, subscribed(each));
  } else if (event.op === 'peer_add') {
    for (const id of event.stream_ids) {
      const stream = subscriptions.get(id);
      if (!stream) continue;
      const subscribers = ascending([...new Set([...stream.subscribers, ...event.user_ids])]);
      subscriptions.set(id, { ...stream, subscribers });
    }
  }
  return { ...state, subscriptions };
}

/** The ids with some more, or else without them. */
function withIf(belong: boolean, ids: ReadonlySet<number> | undefined, some: readonly number[]) {
  return belong ? ids?.union(new Set(some)) : ids?.difference(new Set(some));
}
