import type { Viewer } from '../conversations/access.ts';
import { type MembershipRow, type SubscriptionSettings, memberships } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';
import type { Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { putAwayRestored, subscriptionUpdated } from './events.ts';
import { cleanColor } from './name.ts';
import { isNotification, truthOf } from './notifications.ts';

interface PropertyChange {
  readonly stream_id: number;
  readonly property: string;
  readonly value?: unknown;
}

/** Publishes an event only if the value changes. */
export function setProperty(tx: Transaction, log: EventLog, member: Viewer, change: PropertyChange): void {
  const { stream_id, property, value } = change;
  const columns = columnsOf(property, value);
  const membership = subscriptionOf(tx, member, stream_id);
  const before: Readonly<Record<string, unknown>> = { ...membership };
  if (Object.entries(columns).every(([column, now]) => before[column] === now)) return;
  const after: SubscriptionSettings = { ...membership, ...columns };
  memberships.setSettings(tx, membership.id, after);
  for (const update of updatesOf(property, after)) log.append(tx, subscriptionUpdated(member, stream_id, ...update));
}

function subscriptionOf(tx: Transaction, member: Viewer, streamId: number): MembershipRow {
  const membership = memberships.current(tx, streamId, member.id);
  if (!membership || !streams.byId(tx, streamId)) throw refused.because(`Not subscribed to stream id ${streamId}`);
  return membership;
}

function columnsOf(property: string, value: unknown): Partial<SubscriptionSettings> {
  if (isNotification(property)) return { [property]: value === null ? null : bit(property, value) };
  switch (property) {
    case 'color':
      if (typeof value !== 'string') throw refused.because('color is not a valid hex color code');
      return { color: cleanColor(value) };
    case 'in_home_view':
      return { is_muted: 1 - bit(property, value) };
    case 'is_muted':
    case 'pin_to_top':
    case 'put_away':
      return { [property]: bit(property, value) };
    default:
      throw refused.because(`Unknown subscription property: ${property}`);
  }
}

function bit(property: string, value: unknown): number {
  if (typeof value !== 'boolean') throw refused.because(`${property} is not a boolean`);
  return value ? 1 : 0;
}

/** A change of `is_muted` is first published under its old name, `in_home_view`, for old clients. */
function updatesOf(
  property: string,
  after: SubscriptionSettings,
): (readonly [property: string, value: string | boolean | null])[] {
  if (property === 'is_muted' || property === 'in_home_view') {
    const isMuted = after.is_muted === 1;
    return Object.entries({ in_home_view: !isMuted, is_muted: isMuted });
  }
  if (property === 'color') return [[property, after.color]];
  if (property === 'pin_to_top' || property === 'put_away') return [[property, after[property] === 1]];
  if (isNotification(property)) return [[property, truthOf(after[property])]];
  return [];
}

/** Brings a stream back to the lists of mentioned members who put it away, except the sender's. One event is for all. */
export function restorePutAway(
  tx: Transaction,
  log: EventLog,
  conversationId: number,
  senderId: number,
  mentioned: readonly number[] | 'all',
): void {
  if (mentioned.length === 0) return;
  const userIds = memberships.restorePutAway(tx, conversationId, senderId, mentioned === 'all' ? null : mentioned);
  if (userIds.length > 0) log.append(tx, putAwayRestored(conversationId, userIds));
}
