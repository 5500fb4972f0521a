/**
 * The code that applies events. The polling tab loads it after the first messages are drawn, or before it registers if it needs
 * the live channel. Other tabs load it with the first event.
 */
import type { Cursor } from '@engawa/client';
import { serverEvent, type ServerEvent } from '@engawa/protocol';
import { z } from 'zod/mini';
import { draftsAfter } from '../drafts/changes.ts';
import { outboxAfter } from '../outbox/eventChanges.ts';
import { peopleAfter } from '../people/changes.ts';
import type { State } from '../state.ts';
import { streamsAfter } from '../streams/changes.ts';
import { withoutExcess } from '../timeline/changes.ts';
import { timelinesAfter } from '../timeline/eventChanges.ts';
import { unreadAfter } from '../unread/changes.ts';

export { createLiveChannel } from './live.ts';
export { presencesArrived } from '../people/changes.ts';
export { arrivalsIn } from '../unread/eventArrivals.ts';

export const serverEvents = z.array(serverEvent);

export function happened<S extends State>(state: S, events: readonly ServerEvent[], cursor: Cursor | undefined): S {
  return withoutExcess(events.reduce<S>(applied, { ...state, cursor }));
}

function applied<S extends State>(state: S, event: ServerEvent): S {
  const known = streamsAfter(peopleAfter(state, event), event);
  return draftsAfter(outboxAfter(unreadAfter(timelinesAfter(known, event), event), event), event);
}
