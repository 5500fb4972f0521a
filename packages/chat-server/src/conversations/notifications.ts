/** Those that follow what is set for all streams where they are null, and what that is here. */
export const usualNotifications = {
  desktop_notifications: true,
  audible_notifications: true,
  push_notifications: true,
  email_notifications: false,
  wildcard_mentions_notify: true,
} as const;
type Notification = keyof typeof usualNotifications;
export const isNotification = (property: string): property is Notification =>
  Object.hasOwn(usualNotifications, property);

/** As it is told: null where nothing of its own was set. */
export const truth = (value: number | null): boolean | null => (value === null ? null : value === 1);
