/** All that the model knows, as plain data. Every change makes a new state that shares what has not changed. */
import type { Cursor } from '@engawa/client';
import type { Message, Subscription, User } from '@engawa/protocol';
import type { DepartmentNode } from '@engawa/protocol/product';
import type { Outgoing } from './outbox.ts';
import type { TimelineState } from './timeline.ts';
import type { Unread } from './unread.ts';
import type { Connection, Failure } from './view.ts';

export interface State {
  /** Undefined when nobody is signed in. */
  readonly memberId: number | undefined;
  readonly connection: Connection;
  /** The place in the event queue up to which this state is true; undefined before the first register. */
  readonly cursor: Cursor | undefined;
  readonly users: ReadonlyMap<number, User>;
  /** By stream id; undefined before the first register. */
  readonly subscriptions: ReadonlyMap<number, Subscription> | undefined;
  readonly departments: readonly DepartmentNode[] | undefined;
  readonly departmentsFailure: Failure | undefined;
  /** The newest message by stream id: null where there is none, no entry where nobody has looked yet. */
  readonly newest: ReadonlyMap<number, Message | null>;
  readonly unread: Unread;
  /** Message ids that the member has read and the server has not yet heard of: they no longer count. */
  readonly reading: ReadonlySet<number>;
  /** The highest message id ever seen: what is sent from now on gets a higher one. */
  readonly maxMessageId: number;
  readonly current: number | undefined;
  readonly timelines: ReadonlyMap<number, TimelineState>;
  /** In the order in which they were sent. */
  readonly outbox: readonly Outgoing[];
}

export function initialState(memberId: number | undefined): State {
  return {
    memberId,
    connection: 'starting',
    cursor: undefined,
    users: new Map(),
    subscriptions: undefined,
    departments: undefined,
    departmentsFailure: undefined,
    newest: new Map(),
    unread: new Map(),
    reading: new Set(),
    maxMessageId: 0,
    current: undefined,
    timelines: new Map(),
    outbox: [],
  };
}

/** The map with one entry set, or without it when the value is undefined. */
export function withEntry<K, V>(map: ReadonlyMap<K, V>, key: K, value: V | undefined): ReadonlyMap<K, V> {
  const changed = new Map(map);
  if (value === undefined) changed.delete(key);
  else changed.set(key, value);
  return changed;
}
