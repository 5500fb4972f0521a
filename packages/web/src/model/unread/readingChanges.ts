/** Which messages are being marked as read. */
import { withoutMuted } from './mutedTopics.ts';
import type { UnreadState } from './state.ts';
import { withoutUnread } from './unread.ts';

export function readingBegan<S extends UnreadState>(state: S, ids: Iterable<number>): S {
  return { ...state, reading: state.reading.union(new Set(ids)) };
}

export function readingConfirmed<S extends UnreadState>(state: S, ids: readonly number[]): S {
  return noLongerUnread(readingRefused(state, ids), ids);
}

export function readingRefused<S extends UnreadState>(state: S, ids: readonly number[]): S {
  return { ...state, reading: state.reading.difference(new Set(ids)) };
}

export function noLongerUnread<S extends UnreadState>(state: S, ids: readonly number[]): S {
  return { ...state, unread: withoutUnread(state.unread, ids), muted: withoutMuted(state.muted, ids) };
}
