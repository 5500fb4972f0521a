import { typingMilliseconds, type KnownEvent } from '@engawa/protocol';
import { initialState, type State } from '../src/model/state.ts';
import { registered } from '../src/model/sync/changes.ts';
import { happened } from '../src/model/sync/events.ts';
import type { Snapshot } from '../src/model/sync/snapshot.ts';
import { noneMuted } from '../src/model/unread/mutedTopics.ts';
import { noneFlagged } from '../src/model/unread/flagged.ts';
import { unloaded } from '../src/model/timeline/timeline.ts';
import { ai, design, general, ken, messageOf, sessionOf } from './organisation.ts';

/** 田中 愛 and 石川 健 are in two streams without messages. The second stream is muted. */
export const snapshot: Snapshot = {
  cursor: { queueId: 'queue-1', lastEventId: 0 },
  maxMessageId: 102,
  users: new Map([ai, ken].map((each) => [each.user_id, each])),
  removalDeactivates: false,
  formerNames: [],
  groups: new Map(),
  customEmoji: [],
  subscriptions: new Map([general, { ...design, is_muted: true }].map((each) => [each.stream_id, each])),
  mayCreateStreams: true,
  directs: new Map(),
  typingTimes: typingMilliseconds,
  newest: new Map(),
  limits: { edit: null, delete: null },
  unread: new Map(),
  flagged: noneFlagged,
  muted: noneMuted,
  alertWords: [],
  drafts: new Map(),
  receiptsShown: 'own',
  settings: {},
  presences: new Map(),
  presenceUpdate: -1,
  presenceSeconds: { ping: 60, offline: 200 },
  statuses: new Map(),
  now: 0,
  clockAhead: 0,
};

export const begin = (differences: Partial<Snapshot> = {}) =>
  registered(initialState(sessionOf(ai, [])), { ...snapshot, ...differences });

/** Two unread messages in the first stream, whose newest message is known; the second stream has none. */
export const twoUnread = {
  newest: new Map([
    [general.stream_id, messageOf(102, ken, general, '102')],
    [design.stream_id, null],
  ]),
  unread: new Map([[general.stream_id, new Set([101, 102])]]),
};

/** Two loaded messages in the first stream, of which one is unread, and two unread messages in the second. */
export const twoLoaded: State = {
  ...begin({
    unread: new Map([
      [general.stream_id, new Set([101])],
      [design.stream_id, new Set([50, 60])],
    ]),
  }),
  timelines: new Map([
    [
      general.stream_id,
      { ...unloaded, messages: [messageOf(101, ken, general, 'おはよう'), messageOf(102, ai, general, '了解')] },
    ],
  ]),
};

/** The state after these events. */
export const after = (state: State, ...events: readonly KnownEvent[]) =>
  happened(state, events, { queueId: 'queue-1', lastEventId: 1 });
