import { outboxRestored } from '../outbox/changes.ts';
import type { State } from '../state.ts';
import { timelinesRestored } from '../timeline/changes.ts';
import type { Snapshot } from './snapshot.ts';

export function registered<S extends State>(state: S, snapshot: Snapshot): S {
  const maxMessageId = Math.max(state.maxMessageId, snapshot.maxMessageId);
  return outboxRestored(timelinesRestored({ ...state, ...snapshot, maxMessageId }, state), snapshot.maxMessageId);
}
