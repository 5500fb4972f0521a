import { z } from 'zod/mini';
import { everySetting } from './settings.ts';

/** Clients without the capability `user_settings_object` expect these next to the parts of the state, in two groups. */
export const displaySettings = z.pick(everySetting, {
  color_scheme: true,
  default_language: true,
  emojiset: true,
  enable_drafts_synchronization: true,
  enter_sends: true,
  starred_message_counts: true,
  twenty_four_hour_time: true,
});
export const notificationSettings = z.pick(everySetting, {
  enable_desktop_notifications: true,
  enable_sounds: true,
  enable_stream_desktop_notifications: true,
  notification_sound: true,
  pm_content_in_desktop_notifications: true,
  presence_enabled: true,
});
