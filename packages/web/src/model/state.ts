/** Everything that the model knows, as plain data. A change makes a new state that shares the parts that did not change. */
import type { Session } from '@engawa/protocol/product';
import { initialConnection, type ConnectionState } from './connection/state.ts';
import { initialOutbox, type OutboxState } from './outbox/state.ts';
import { initialPeople, type PeopleState } from './people/state.ts';
import { initialStreams, type StreamsState } from './streams/state.ts';
import { initialTimelines, type TimelinesState } from './timeline/state.ts';
import { initialUnread, type UnreadState } from './unread/state.ts';

export interface State extends ConnectionState, PeopleState, StreamsState, UnreadState, TimelinesState, OutboxState {}

export function initialState(session: Session): State {
  return {
    ...initialConnection(session),
    ...initialPeople,
    ...initialStreams,
    ...initialUnread,
    ...initialTimelines,
    ...initialOutbox,
  };
}
