import { type AudienceSetting, type EverySetting, type SettingName, type UserSettings, everySetting } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { AudienceChange } from '../events/payload.ts';
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
  const [photo, status] = [changeOf('photo_audience'), changeOf('status_audience')];
  // Also where there is none now: who has yet to hear that it went is not told of that any more.
  if (photo) tellOfPicture(tx, log, userId, photo);
  if (status) tellOfStatus(tx, log, userId, status);

  function changeOf(name: AudienceSetting): AudienceChange | undefined {
    return isSame(before[name], after[name]) ? undefined : { before: before[name], after: after[name] };
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
