import { subscription, type ServerEvent, type Subscription } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import type { EventOf } from '../connection/state.ts';
import { conversationOf, isDirect } from './conversation.ts';
import type { LostStream, StreamsState } from './state.ts';

export function streamsAfter<S extends StreamsState>(state: S, event: ServerEvent): S {
  switch (event.type) {
    case 'message': {
      const conversation = conversationOf(event.message);
      if (conversation === undefined || !isDirect(conversation)) return state;
      return { ...state, directs: withEntry(state.directs, conversation, event.message.id) };
    }
    case 'subscription':
      return subscriptionChanged(state, event);
    case 'stream':
      if (event.op === 'update') return propertySet(state, event.stream_id, event.property, event.value);
      // A new stream is not added here: it becomes the member's by the event of their subscription.
      return lostStreamIds(event).reduce((left, streamId) => streamLost(left, streamId, 'closed'), state);
    default:
      return state;
  }
}

export function lostStreamIds(event: ServerEvent): readonly number[] {
  if (event.type === 'stream' && event.op === 'delete') return event.streams.map(({ stream_id }) => stream_id);
  if (event.type === 'subscription' && event.op === 'remove') return event.subscriptions.map(({ stream_id }) => stream_id);
  return [];
}

function subscriptionChanged<S extends StreamsState>(state: S, event: EventOf<'subscription'>): S {
  switch (event.op) {
    case 'add': {
      const added = event.subscriptions.map((each) => [each.stream_id, each] as const);
      return { ...state, subscriptions: new Map([...(state.subscriptions ?? []), ...added]) };
    }
    case 'remove':
      return lostStreamIds(event).reduce((left, streamId) => streamLost(left, streamId, 'left'), state);
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

/** Sets a property of a stream or subscription. An unknown stream and a malformed value change nothing. */
export function propertySet<S extends StreamsState>(state: S, streamId: number, property: string, value: unknown): S {
  const known = state.subscriptions?.get(streamId);
  const changed = known && subscription.safeParse({ ...known, [property]: value });
  return changed?.success ? withSubscription(state, streamId, changed.data) : state;
}

function withSubscription<S extends StreamsState>(state: S, streamId: number, changes: Partial<Subscription>): S {
  const known = state.subscriptions?.get(streamId);
  if (!state.subscriptions || !known) return state;
  return { ...state, subscriptions: withEntry(state.subscriptions, streamId, { ...known, ...changes }) };
}

function streamLost<S extends StreamsState>(state: S, streamId: number, how: LostStream['how']): S {
  const lost = state.subscriptions?.get(streamId);
  return {
    ...state,
    lostStream: lost ? { streamId, name: lost.name, how } : state.lostStream,
    subscriptions: withEntry(state.subscriptions ?? new Map<number, Subscription>(), streamId, undefined),
  };
}
