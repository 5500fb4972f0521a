import { busyEmoji, type presences as presenceMap, type UserStatus } from '@engawa/protocol';
import type { z } from 'zod/mini';
import { isDate } from './zone.ts';

export interface Presence {
  /** `idle`: a tab is visible, but there was no recent input. */
  readonly kind: 'online' | 'idle' | 'offline';
  /** Unix seconds; undefined unless the member is offline and the time is known. */
  readonly lastSeen: number | undefined;
}

/** `active`: recent input; `idle`: a tab is visible; `hidden`: neither. */
export type Attended = 'active' | 'idle' | 'hidden';

/** Presences by user id as text: the form of the API. */
export type Presences = z.output<typeof presenceMap>;

/** Unix seconds at which a member was last active and last idle. */
export interface PresenceTimes {
  readonly active: number;
  readonly idle: number;
}

export interface Status {
  readonly text: string;
  readonly busy: boolean;
  /** Unix seconds; undefined without an end. */
  readonly until: number | undefined;
}

/** The presences after a report. Members who hide theirs are removed; entries by email are ignored. */
export function presencesAfter(
  before: ReadonlyMap<number, PresenceTimes>,
  reported: Presences,
): ReadonlyMap<number, PresenceTimes> {
  const after = new Map(before);
  for (const [name, presence] of Object.entries(reported)) {
    if (!/^\d+$/.test(name) || 'aggregated' in presence) continue;
    const { active_timestamp: active = 0, idle_timestamp: idle = 0 } = presence;
    if (active === 0 && idle === 0) after.delete(Number(name));
    // A report without input does not say when the member was last active.
    else after.set(Number(name), { active: active || (before.get(Number(name))?.active ?? 0), idle });
  }
  return after;
}

/** The status after an event, which contains only what has changed. An end that no `Date` can hold counts as no end. */
export function statusAfter(before: Status | undefined, reported: UserStatus): Status {
  const { status_text: text = before?.text ?? '', emoji_name: emoji, scheduled_end_time: end } = reported;
  const busy = emoji === undefined ? (before?.busy ?? false) : emoji === busyEmoji.emoji_name;
  return { text, busy, until: typeof end === 'number' && isDate(end) ? end : undefined };
}

/** @param now Unix seconds. @param offlineAfter Seconds without a report after which a member is offline. */
export function presenceAt({ active, idle }: PresenceTimes, now: number, offlineAfter: number): Presence {
  if (now - active <= offlineAfter) return online;
  if (now - idle <= offlineAfter) return away;
  const lastSeen = Math.max(active, idle);
  return { kind: 'offline', lastSeen: lastSeen > 0 ? lastSeen : undefined };
}

const online: Presence = { kind: 'online', lastSeen: undefined };
const away: Presence = { kind: 'idle', lastSeen: undefined };

export function statusAt(status: Status, now: number): Status | undefined {
  const { text, busy, until } = status;
  if ((!busy && text === '') || (until !== undefined && until <= now)) return undefined;
  return status;
}
