/** Of which messages of a stream a member is told by a notification. */
import type { Subscription } from '@engawa/protocol';

/** `mentions`: of those that call them, by name, by a group or with all. */
export const notificationLevels = ['all', 'mentions', 'none'] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

/**
 * What a subscription says. Muting is none, whatever else is set; otherwise `desktop_notifications` says whether messages
 * that do not call the member are told of. Where they have set nothing only what calls them is.
 */
export function notificationLevel({
  is_muted,
  desktop_notifications,
}: Pick<Subscription, 'is_muted' | 'desktop_notifications'>): NotificationLevel {
  if (is_muted) return 'none';
  return desktop_notifications === true ? 'all' : 'mentions';
}

/** The properties that make it so. Muting leaves the rest, so that it is as before when it ends. */
export function settingsFor(level: NotificationLevel): Readonly<Record<string, boolean>> {
  if (level === 'none') return { is_muted: true };
  return { is_muted: false, desktop_notifications: level === 'all' };
}
