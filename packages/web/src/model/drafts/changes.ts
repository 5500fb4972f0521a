import type { Draft, ServerEvent } from '@engawa/protocol';
import { withEntry } from '../collections.ts';
import type { DraftsState } from './state.ts';

export function draftsAfter<S extends DraftsState>(state: S, event: ServerEvent): S {
  // The server deletes the drafts without further events.
  if (event.type === 'user_settings' && event.property === 'enable_drafts_synchronization' && event.value === false) {
    return { ...state, drafts: new Map() };
  }
  if (event.type !== 'drafts') return state;
  if (event.op === 'remove') return draftRemoved(state, event.draft_id);
  return (event.op === 'add' ? event.drafts : [event.draft]).reduce<S>(draftSaved, state);
}

/** The answer of a call may arrive before the events of earlier calls, so an older revision changes nothing. */
export function draftSaved<S extends DraftsState>(state: S, saved: Draft): S {
  const { revision = 0 } = state.drafts?.get(saved.id) ?? {};
  if ((saved.revision ?? 0) < revision) return state;
  return { ...state, drafts: withEntry(state.drafts ?? new Map(), saved.id, saved) };
}

export function draftRemoved<S extends DraftsState>(state: S, id: number): S {
  return state.drafts?.has(id) ? { ...state, drafts: withEntry(state.drafts, id, undefined) } : state;
}
