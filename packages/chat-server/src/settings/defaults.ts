import { type Audience, type EverySetting, colorSchemes } from '@engawa/protocol';

const everyone: Audience = { audience: 'everyone', user_ids: [], departments: [] };

/** Every setting with its value until the member changes it. */
export const defaults: EverySetting = {
  send_read_receipts: true,
  presence_enabled: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  enter_sends: true,
  color_scheme: colorSchemes.light,
  default_language: 'ja',
  enable_desktop_notifications: true,
  enable_stream_desktop_notifications: false,
  enable_sounds: true,
  notification_sound: 'chime',
  photo_audience: everyone,
  status_audience: everyone,
  groups_audience: everyone,
  frequent_emoji: {},
};
