import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import type { Viewer } from '../conversations/access.ts';
import { cleanColor } from './name.ts';
import { isNotification, truth } from './notifications.ts';
import { type MembershipRow, type SubscriptionSettings, memberships } from '../conversations/memberships.ts';
import { propertySet } from './events.ts';
import { streams } from '../conversations/streams.ts';

/** What a member sets of a subscription of theirs. */
export interface PropertySetting {
  readonly stream_id: number;
  readonly property: string;
  readonly value?: unknown;
}

/** Sets properties of a member's own subscriptions, all or none; their devices hear of what has changed. */
export function setProperties(tx: Transaction, log: EventLog, member: Viewer, settings: readonly PropertySetting[]): void {
  for (const setting of settings) setProperty(tx, log, member, setting);
}

function setProperty(tx: Transaction, log: EventLog, member: Viewer, { stream_id, property, value }: PropertySetting) {
  const change = changeOf(property, value);
  const stay = subscriptionOf(tx, member, stream_id);
  const before: Readonly<Record<string, unknown>> = { ...stay };
  if (Object.entries(change).every(([column, now]) => before[column] === now)) return;
  const after: SubscriptionSettings = { ...stay, ...change };
  memberships.setSettings(tx, stay.id, after);
  for (const told of toldOf(property, after)) log.append(tx, propertySet(member, stream_id, ...told));
}

function subscriptionOf(tx: Transaction, member: Viewer, streamId: number): MembershipRow {
  const stay = memberships.current(tx, streamId, member.id);
  const stream = stay && streams.byId(tx, streamId);
  if (!stream) throw refused.because(`Not subscribed to stream id ${streamId}`);
  return stay;
}

function changeOf(property: string, value: unknown): Partial<SubscriptionSettings> {
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

/** Muting is told in its old word, too, and first. */
function toldOf(property: string, after: SubscriptionSettings): (readonly [property: string, value: string | boolean | null])[] {
  if (property === 'is_muted' || property === 'in_home_view') {
    const isMuted = after.is_muted === 1;
    return [
      ['in_home_view', !isMuted],
      ['is_muted', isMuted],
    ];
  }
  if (property === 'color') return [[property, after.color]];
  if (property === 'pin_to_top' || property === 'put_away') return [[property, after[property] === 1]];
  if (isNotification(property)) return [[property, truth(after[property])]];
  return [];
}
