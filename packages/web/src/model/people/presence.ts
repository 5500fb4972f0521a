/** Who is there, and when they last were; what they say of it. All by the clock, so that nothing outlasts its time. */
import { busyEmoji, type presences as presenceMap, type UserStatus } from '@engawa/protocol';
import type { z } from 'zod';
import { isDate } from './zone.ts';

/** Whether somebody is there. */
export interface Presence {
  /** `idle`: their screen is there, and no hand has moved for a while. */
  readonly kind: 'online' | 'idle' | 'offline';
  /** Unix seconds; of who is offline, where it is known. */
  readonly lastSeen: number | undefined;
}

/** Whether somebody is at a tab: a hand has moved, it is there to be seen, or neither. */
export type Attended = 'active' | 'idle' | 'hidden';

/** What somebody says of themselves for now. */
export interface StatusView {
  /** Empty where busy says it all. */
  readonly text: string;
  readonly busy: boolean;
  /** Unix seconds; undefined where no end was named. */
  readonly until: number | undefined;
}

/** As an answer or an event has them: by user id, as text. */
export type Presences = z.output<typeof presenceMap>;

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

/** What is known after more was told. Who shows nothing any more is not in it; nor is who is told of by email. */
export function seenAfter(seen: ReadonlyMap<number, Seen>, told: Presences): ReadonlyMap<number, Seen> {
  const after = new Map(seen);
  for (const [name, presence] of Object.entries(told)) {
    if (!/^\d+$/.test(name) || 'aggregated' in presence) continue;
    const { active_timestamp: active = 0, idle_timestamp: idle = 0 } = presence;
    if (active === 0 && idle === 0) after.delete(Number(name));
    else after.set(Number(name), { active, idle });
  }
  return after;
}

/** An event tells what has changed. The end is of what it tells; one that no date names is none. */
export function statusAfter(before: Status | undefined, told: UserStatus): Status {
  const { status_text: text = before?.text ?? '', emoji_name: emoji, scheduled_end_time: end } = told;
  const busy = emoji === undefined ? (before?.busy ?? false) : emoji === busyEmoji.emoji_name;
  return { text, busy, until: typeof end === 'number' && isDate(end) ? end : undefined };
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
