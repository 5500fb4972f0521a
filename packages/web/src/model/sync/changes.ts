import type { Cursor } from '@engawa/client';
import type { ServerEvent } from '@engawa/protocol';
import { draftsAfter } from '../drafts/state.ts';
import { outboxAfter, outboxRestored } from '../outbox/changes.ts';
import { peopleAfter } from '../people/changes.ts';
import type { State } from '../state.ts';
import { streamsAfter } from '../streams/changes.ts';
import { timelinesAfter, timelinesRestored, withoutExcess } from '../timeline/changes.ts';
import { unreadAfter } from '../unread/changes.ts';
import type { Snapshot } from './snapshot.ts';

export function registered<S extends State>(state: S, snapshot: Snapshot): S {
  const maxMessageId = Math.max(state.maxMessageId, snapshot.maxMessageId);
  return outboxRestored(timelinesRestored({ ...state, ...snapshot, maxMessageId }, state), snapshot.maxMessageId);
}

export function happened<S extends State>(state: S, events: readonly ServerEvent[], cursor: Cursor | undefined): S {
  return withoutExcess(events.reduce<S>(applied, { ...state, cursor }));
}

function applied<S extends State>(state: S, event: ServerEvent): S {
  const known = streamsAfter(peopleAfter(state, event), event);
  return draftsAfter(outboxAfter(unreadAfter(timelinesAfter(known, event), event), event), event);
}
