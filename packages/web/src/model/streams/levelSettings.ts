import type { NotificationLevel } from './notifying.ts';

/** The properties that set a level. `none` only mutes, so that unmuting restores the previous level. */
export function settingsFor(level: NotificationLevel): Readonly<Record<string, boolean>> {
  if (level === 'none') return { is_muted: true };
  return { is_muted: false, desktop_notifications: level === 'all' };
}
