import type { EverySetting, SettingName } from '@engawa/protocol';
import type { Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { settings } from './store.ts';

/** An unchanged value publishes no event. */
export function changeSetting<Name extends SettingName>(
  tx: Transaction,
  log: EventLog,
  userId: number,
  name: Name,
  value: EverySetting[Name],
): void {
  if (isSame(settings.get(tx, userId, name), value)) return;
  settings.put(tx, userId, name, value);
  const payload = { op: 'update', property: name, value };
  log.append(tx, { type: 'user_settings', reach: 'self', reachId: userId, payload });
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
