import { presenceSeconds } from '@engawa/protocol';
import type { PresenceTimes } from './presence.ts';

/** Seconds after the last activity during which Zulip's older clients show a member as active. */
const activeSeconds = 70;
const client = 'website';

/** The presence for Zulip's older clients: as if the member had one client. */
export function clientView({ active_timestamp: active, idle_timestamp: idle }: PresenceTimes) {
  const isActive = active > 0 && active + activeSeconds >= idle;
  return { client, status: isActive ? 'active' : 'idle', timestamp: isActive ? active : idle };
}

export function legacyView(times: PresenceTimes) {
  const view = clientView(times);
  return { aggregated: view, website: { ...view, pushable: false } };
}

/** The presence of one member, who may be offline. @param now unix seconds. */
export function userPresenceView(times: PresenceTimes, now: number) {
  const { client: _, status, timestamp } = clientView(times);
  const view = { status: now - timestamp >= presenceSeconds.offline ? 'offline' : status, timestamp };
  return { aggregated: view, website: view };
}
