/**
 * Everything that the model knows, as plain data. The state of a noun includes those of the nouns below it, in the order
 * connection, people, streams, unread, timeline, outbox. A change makes a new state that shares the parts that did not change.
 */
import type { Session } from '@engawa/protocol/product';
import { initialConnection } from './connection/state.ts';
import { initialOutbox, type OutboxState } from './outbox/state.ts';
import { initialPeople } from './people/state.ts';
import { initialStreams } from './streams/state.ts';
import { initialTimelines } from './timeline/state.ts';
import { initialUnread } from './unread/state.ts';

export type State = OutboxState;

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
