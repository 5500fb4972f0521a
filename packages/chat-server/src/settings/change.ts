import { type EverySetting, type SettingName, type UserSettings, everySetting } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Presence } from '../presence/presence.ts';
import { tellOfStatus } from '../status/view.ts';
import { tellOfPicture } from '../users/avatar.ts';
import { settings } from './store.ts';

export interface SettingRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly presence: Presence;
}

/**
 * THE way in which a setting changes: all devices of the member hear of it, and nobody else. What is so already is told to
 * nobody.
 */
export function changeSetting<Name extends SettingName>(
  tx: Transaction,
  log: EventLog,
  userId: number,
  name: Name,
  value: EverySetting[Name],
): void {
  if (isSame(settings.get(tx, userId, name), value)) return;
  settings.put(tx, userId, name, value);
  log.append(tx, {
    type: 'user_settings',
    reach: 'self',
    reachId: userId,
    payload: { op: 'update', property: name, value },
  });
}

/** The same for each that is named, with what others gain and lose by it. */
export function changeSettings(tx: Transaction, rooms: SettingRooms, userId: number, changes: UserSettings): void {
  const { log, presence } = rooms;
  const before = settings.of(tx, userId);
  for (const name of everySetting.keyof().options) {
    const value = changes[name];
    if (value !== undefined) changeSetting(tx, log, userId, name, value);
  }
  const after = settings.of(tx, userId);
  if (after.presence_enabled !== before.presence_enabled) presence.show(tx, userId, after.presence_enabled);
  if (!isSame(after.photo_audience, before.photo_audience)) tellOfPicture(tx, log, userId, before.photo_audience);
  if (!isSame(after.status_audience, before.status_audience)) tellOfStatus(tx, log, userId, before.status_audience);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
