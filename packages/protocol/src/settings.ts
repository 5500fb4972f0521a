import { z } from 'zod/mini';
import { maxAudienceDepartments, maxAudienceMembers, maxDepartmentCode } from './limits.ts';

/** Ours: the members who can see a part of a member's profile. */
export const audience = z.object({
  audience: z.enum(['everyone', 'selected', 'nobody']),
  /** Stored even while the audience is not `selected`, so that a member can choose it again. */
  user_ids: z._default(z.array(z.int()).check(z.maxLength(maxAudienceMembers)), []),
  departments: z._default(
    z.array(z.string().check(z.minLength(1), z.maxLength(maxDepartmentCode))).check(z.maxLength(maxAudienceDepartments)),
    [],
  ),
});
export type Audience = z.output<typeof audience>;
export type AudienceSetting = 'photo_audience' | 'status_audience' | 'groups_audience';

export const colorSchemes = { automatic: 1, dark: 2, light: 3 } as const;

export const languages = ['ja', 'en'] as const;
export const notificationSounds = ['chime', 'ding', 'none'] as const;
/** The designs of emoji that Zulip's clients offer. */
export const emojisets = ['google', 'google-blob', 'twitter', 'text'] as const;

/** The settings that our server stores for a member. Only the member receives them. */
export const everySetting = z.object({
  send_read_receipts: z.boolean(),
  presence_enabled: z.boolean(),
  send_private_typing_notifications: z.boolean(),
  send_stream_typing_notifications: z.boolean(),
  /** Without it the server has no drafts of the member. */
  enable_drafts_synchronization: z.boolean(),
  enter_sends: z.boolean(),
  color_scheme: z.int(),
  default_language: z.string(),
  enable_desktop_notifications: z.boolean(),
  enable_stream_desktop_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  notification_sound: z.string(),
  /** Other clients use the next five. Our web client shows times of 24 hours and emoji of the device. */
  twenty_four_hour_time: z.boolean(),
  pm_content_in_desktop_notifications: z.boolean(),
  display_emoji_reaction_users: z.boolean(),
  emojiset: z.string(),
  starred_message_counts: z.boolean(),
  /** Ours: the list of messages shows consecutive messages of one member under one picture and name. */
  compact_messages: z.boolean(),
  /** Ours: who can see the picture and status, and who may add the member to a group. */
  photo_audience: audience,
  status_audience: audience,
  groups_audience: audience,
  /** Ours: uses per emoji, the most used first. */
  frequent_emoji: z.record(z.string(), z.int()),
});
export type EverySetting = z.output<typeof everySetting>;
export type SettingName = keyof EverySetting;

/** The settings in an answer. An older server, or Zulip's, may not send all. */
export const userSettings = z.partial(everySetting);
export type UserSettings = z.output<typeof userSettings>;
