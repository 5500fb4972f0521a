/**
 * Everything that the model knows, as plain data. It is built in layers: connection, people, streams, unread, timeline, outbox,
 * drafts, calls.
 * Each layer includes those before it. A change makes a new state that shares the unchanged parts.
 */
import type { Session } from '@engawa/protocol/product';
import { initialCalls, type CallsState } from './calls/state.ts';
import { initialConnection } from './connection/state.ts';
import { initialDrafts } from './drafts/state.ts';
import { initialOutbox } from './outbox/state.ts';
import { initialPeople } from './people/state.ts';
import { initialStreams } from './streams/state.ts';
import { initialTimelines } from './timeline/state.ts';
import { initialUnread } from './unread/state.ts';

export type State = CallsState;

export function initialState(session: Session): State {
  return {
    ...initialConnection(session),
    ...initialPeople,
    ...initialStreams,
    ...initialUnread,
    ...initialTimelines,
    ...initialOutbox,
    ...initialDrafts,
    ...initialCalls,
  };
}
