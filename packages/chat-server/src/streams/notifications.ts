import type { Reader } from '../database/index.ts';
import { settings } from '../settings/store.ts';

/** Those of a subscription that follow what is so for all streams where they are null. */
const notifications = [
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
type Notification = (typeof notifications)[number];
export const isNotification = (property: string): property is Notification => notifications.some((each) => each === property);

/** What is told of each where nothing of its own was set. */
export type Unset = Readonly<Record<Notification, boolean | null>>;

const asNull: Unset = {
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};

/**
 * Of a member's subscriptions. They choose for all streams whether everything that is said is notified of.
 * @param nulls whether the client knows of what is not set; if not it is told what then is so.
 */
export function whereUnset(reader: Reader, userId: number, nulls: boolean): Unset {
  if (nulls) return asNull;
  return {
    desktop_notifications: settings.get(reader, userId, 'enable_stream_desktop_notifications'),
    audible_notifications: true,
    push_notifications: true,
    email_notifications: false,
    wildcard_mentions_notify: true,
  };
}

/** As it is told: null where nothing of its own was set. */
export const truth = (value: number | null): boolean | null => (value === null ? null : value === 1);
