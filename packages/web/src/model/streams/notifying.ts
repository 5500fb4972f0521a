import type { Subscription, UserSettings } from '@engawa/protocol';

/** `mentions`: messages that mention the member by name, by group or with all. */
export const notificationLevels = ['all', 'mentions', 'none'] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

/**
 * The level of a subscription. A muted stream has `none`. Otherwise `desktop_notifications` decides whether messages without a
 * mention notify. Null means the member's setting for all streams, which is off by default.
 */
export function notificationLevel(
  { is_muted, desktop_notifications }: Pick<Subscription, 'is_muted' | 'desktop_notifications'>,
  { enable_stream_desktop_notifications: usual = false }: Pick<UserSettings, 'enable_stream_desktop_notifications'>,
): NotificationLevel {
  if (is_muted) return 'none';
  return (desktop_notifications ?? usual) ? 'all' : 'mentions';
}
