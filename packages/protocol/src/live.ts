/**
 * The product's own channel of events, for what the event queue of the chat API does not carry: the states of calls without the
 * capability `call_events`, and changes of what only the product keeps. The events have the form of the chat API.
 */
import { z } from 'zod/mini';
import { type KnownEvent, serverEvent } from './events.ts';

type WithoutId<Event> = Event extends unknown ? Omit<Event, 'id'> : never;
/** An event before its number in the channel of a member. */
export type LiveEvent = WithoutId<KnownEvent>;

/** Seconds, unless a name says otherwise. */
export const liveLimits = {
  /** A poll without events is answered after so long. */
  poll: 45,
  /** Events, and the channel of a member who does not poll, are dropped after so long. */
  kept: 120,
  /** The most events of a channel, and their characters as JSON. */
  events: 100,
  characters: 256 * 1024,
  /** The most waiting polls of a member. Beyond, the oldest is answered. */
  polls: 100,
} as const;

/**
 * GET /api/live?after=: waits up to `liveLimits.poll` for events. `after` is that of the last answer; the first request has none
 * and is answered at once. `missed`: the events between `after` and this answer are lost, or it was the first request. The client
 * then fetches again what the channel changes.
 */
export const livePath = '/api/live';
export const liveQuery = z.object({ after: z.optional(z.string().check(z.maxLength(64))) });
export const liveAnswer = z.object({ after: z.string(), missed: z.boolean(), events: z.array(serverEvent) });
/** As the server writes it. */
export interface LiveAnswer {
  readonly after: string;
  readonly missed: boolean;
  readonly events: readonly (LiveEvent & { readonly id: number })[];
}
