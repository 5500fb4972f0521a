import { presenceSeconds } from '@engawa/protocol';
import type { Shown } from './presence.ts';

/** Seconds after their last activity in which Zulip's older clients are told that a member is active. */
const activityLasts = 70;
const client = 'website';

/** How Zulip's older clients are told of a member: as of one client of theirs. */
export function clientView({ active_timestamp: active, idle_timestamp: idle }: Shown) {
  const isActive = active > 0 && active + activityLasts >= idle;
  return { client, status: isActive ? 'active' : 'idle', timestamp: isActive ? active : idle };
}

/** A member in the legacy form. */
export function legacyView(shown: Shown) {
  const view = clientView(shown);
  return { aggregated: view, website: { ...view, pushable: false } };
}

/** One member alone, who may be gone. @param now unix seconds. */
export function userPresenceView(shown: Shown, now: number) {
  const { client: _, status, timestamp } = clientView(shown);
  const view = { status: now - timestamp >= presenceSeconds.offline ? 'offline' : status, timestamp };
  return { aggregated: view, website: view };
}
