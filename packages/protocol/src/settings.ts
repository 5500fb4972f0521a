import { z } from 'zod';
import { maxAudienceDepartments, maxAudienceMembers, maxDepartmentCode } from './limits.ts';

/** Ours: to whom something of a member's is open. The member always sees their own. */
export const audience = z.object({
  audience: z.enum(['everyone', 'selected', 'nobody']),
  /** Who was selected: these users, and whoever is in these departments or below. Kept while it is not `selected`. */
  user_ids: z.array(z.int()).max(maxAudienceMembers).default([]),
  /** By `departmentCd`. */
  departments: z.array(z.string().min(1).max(maxDepartmentCode)).max(maxAudienceDepartments).default([]),
});
export type Audience = z.output<typeof audience>;
export type AudienceSetting = 'photo_audience' | 'status_audience' | 'groups_audience';

/** As Zulip numbers them. */
export const colorSchemes = { automatic: 1, dark: 2, light: 3 } as const;

/** What the server takes for `default_language` and `notification_sound`. */
export const languages = ['ja', 'en'] as const;
export const notificationSounds = ['chime', 'ding', 'none'] as const;

/** What a member has chosen for themselves, and only they are told: all that our server keeps. */
export const everySetting = z.object({
  /** Whether others see what the member has read. */
  send_read_receipts: z.boolean(),
  /** Whether others see when the member is there and when they were last, and the member sees it of others. */
  presence_enabled: z.boolean(),
  send_private_typing_notifications: z.boolean(),
  send_stream_typing_notifications: z.boolean(),
  /** Whether Enter sends what was written. */
  enter_sends: z.boolean(),
  /** Of `colorSchemes`. */
  color_scheme: z.int(),
  default_language: z.string(),
  /** Notifications of direct messages and mentions. */
  enable_desktop_notifications: z.boolean(),
  /** Notifications of everything that is said in a stream. */
  enable_stream_desktop_notifications: z.boolean(),
  enable_sounds: z.boolean(),
  notification_sound: z.string(),
  /** Ours: who sees the member's picture and status, and who may bring the member into a group. */
  photo_audience: audience,
  status_audience: audience,
  groups_audience: audience,
  /** Ours: how often the member has used which emoji, the most used first. */
  frequent_emoji: z.record(z.string(), z.int()),
});
export type EverySetting = z.output<typeof everySetting>;
export type SettingName = keyof EverySetting;

/** The same as an answer has it. What is absent is not known: another server, or an earlier one of ours, has fewer. */
export const userSettings = everySetting.partial();
export type UserSettings = z.output<typeof userSettings>;
