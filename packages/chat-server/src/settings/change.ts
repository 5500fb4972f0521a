import { type EverySetting, type SettingName, type UserSettings, everySetting } from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { settings } from './store.ts';

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
  if (JSON.stringify(settings.get(tx, userId, name)) === JSON.stringify(value)) return;
  settings.put(tx, userId, name, value);
  log.append(tx, {
    type: 'user_settings',
    reach: 'self',
    reachId: userId,
    payload: { op: 'update', property: name, value },
  });
}

/** The same for each that is named. */
export function changeSettings(tx: Transaction, log: EventLog, userId: number, changes: UserSettings): void {
  for (const name of everySetting.keyof().options) {
    const value = changes[name];
    if (value !== undefined) changeSetting(tx, log, userId, name, value);
  }
}
