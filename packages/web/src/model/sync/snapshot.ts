import type { Message, RegistrationSnapshot, Subscription } from '@engawa/protocol';
import { z } from 'zod/mini';
import { connectionSnapshot } from '../connection/state.ts';
import { draftsFrom, draftsSnapshot } from '../drafts/state.ts';
import { peopleFrom, peopleSnapshot } from '../people/state.ts';
import { streamsFrom, streamsSnapshot } from '../streams/state.ts';
import { timelinesFrom, timelinesSnapshot } from '../timeline/state.ts';
import { unreadFrom, unreadSnapshot } from '../unread/state.ts';

/** The part of the state that the answer of register contains and that tabs send each other. It is current at its cursor. */
export const snapshot = z.object({
  ...connectionSnapshot,
  ...peopleSnapshot,
  ...streamsSnapshot,
  ...unreadSnapshot,
  ...timelinesSnapshot,
  ...draftsSnapshot,
});
export type Snapshot = z.output<typeof snapshot>;

/** @param recent The newest messages of all conversations, by rising id. @param now Unix seconds by this machine's clock. */
export function snapshotOf(
  registration: RegistrationSnapshot,
  subscriptions: readonly Subscription[],
  recent: readonly Message[],
  memberId: number,
  now: number,
): Snapshot {
  const unread = unreadFrom(registration, memberId);
  const timelines = timelinesFrom(registration, recent, new Set(subscriptions.map(({ stream_id }) => stream_id)));
  const known = [
    ...timelines.newest.entries().map(([conversation, { id }]) => [conversation, id] as const),
    ...unread.unread.entries().map(([conversation, ids]) => [conversation, [...ids].at(-1) ?? 0] as const),
  ];
  return {
    cursor: { queueId: registration.queue_id, lastEventId: registration.last_event_id },
    ...peopleFrom(registration, now),
    ...streamsFrom(registration, subscriptions, memberId, known),
    ...unread,
    ...timelines,
    ...draftsFrom(registration),
  };
}
