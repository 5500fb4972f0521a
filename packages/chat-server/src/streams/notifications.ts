import type { Reader } from '../database/index.ts';
import { settings } from '../settings/store.ts';

/** The properties of a subscription for which null means the member's default. */
const notifications = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
type Notification = (typeof notifications)[number];
export const isNotification = (property: string): property is Notification => notifications.some((each) => each === property);

export type NotificationDefaults = Readonly<Record<Notification, boolean>>;

/** Undefined if the client has `notification_settings_null`; other clients get the effective values instead of null. */
export function notificationDefaults(reader: Reader, userId: number, knowsNull: boolean): NotificationDefaults | undefined {
  if (knowsNull) return undefined;
  return {
    desktop_notifications: settings.get(reader, userId, 'enable_stream_desktop_notifications'),
    audible_notifications: true,
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: true,
  };
}

export const truthOf = (value: number | null): boolean | null => (value === null ? null : value === 1);
