/** Who is there, and when they last were; what they say of it. All by the clock, so that nothing outlasts its time. */
import type { Presence, StatusView } from './view.ts';

/** When a member was last seen at work and when their screen was last there, as the server tells it. Unix seconds. */
export interface Seen {
  readonly active: number;
  readonly idle: number;
}

/** What a member says of themselves. */
export interface Status {
  readonly text: string;
  readonly busy: boolean;
  /** Unix seconds; undefined: until they say otherwise. */
  readonly until: number | undefined;
}

/** @param now Unix seconds. @param offlineAfter Seconds without a word after which somebody is gone. */
export function presenceAt({ active, idle }: Seen, now: number, offlineAfter: number): Presence {
  if (now - active <= offlineAfter) return online;
  if (now - idle <= offlineAfter) return away;
  const lastSeen = Math.max(active, idle);
  return { kind: 'offline', lastSeen: lastSeen > 0 ? lastSeen : undefined };
}

const online: Presence = { kind: 'online', lastSeen: undefined };
const away: Presence = { kind: 'idle', lastSeen: undefined };

/** Undefined where there is nothing to say, or its time has come. */
export function statusAt(status: Status, now: number): StatusView | undefined {
  const { text, busy, until } = status;
  if ((!busy && text === '') || (until !== undefined && until <= now)) return undefined;
  return status;
}
