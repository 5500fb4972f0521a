import { z } from 'zod/mini';
import { endpoint, json, segment, text } from '../endpoint.ts';
import { role, user } from '../entities.ts';
import { maxEmojiKeyLength, maxProfileFields, passwordLength } from '../limits.ts';
import { audience } from '../settings.ts';

/** https://zulip.com/api/get-users */
export const getUsers = endpoint('GET', '/users', {
  parameters: {
    client_gravatar: json(z._default(z.boolean(), true)),
    include_custom_profile_fields: json(z._default(z.boolean(), false)),
  },
  answer: z.object({ members: z.array(user) }),
});

/** https://zulip.com/api/get-user */
export const getUser = endpoint('GET', '/users/{user_id}', {
  parameters: { include_custom_profile_fields: json(z._default(z.boolean(), false)) },
  answer: z.object({ user }),
});

/** An address in the path. */
export const emailSegment = segment(z.string().check(z.maxLength(320)));

/** https://zulip.com/api/get-user-by-email */
export const getUserByEmail = endpoint('GET', '/users/{email}', {
  parameters: { email: emailSegment },
  answer: z.object({ user }),
});

const ids = z.array(z.int()).check(z.maxLength(maxProfileFields));

/** https://zulip.com/api/update-user: the member's own values of profile fields. An empty value removes it. */
export const updateProfileData = endpoint('PATCH', '/users/me/profile_data', {
  bots: 'none',
  parameters: {
    data: json(
      z.array(z.object({ id: z.int(), value: z.string().check(z.maxLength(10_000)) })).check(z.maxLength(maxProfileFields)),
    ),
  },
});

export const deleteProfileData = endpoint('DELETE', '/users/me/profile_data', { bots: 'none', parameters: { data: json(ids) } });

/** https://zulip.com/api/deactivate-own-user: refused to the last owner. */
export const deactivateOwnUser = endpoint('DELETE', '/users/me', { bots: 'none' });

/** https://zulip.com/api/mute-user: their messages are read at once. */
export const muteUser = endpoint('POST', '/users/me/muted_users/{muted_user_id}');

/** https://zulip.com/api/unmute-user */
export const unmuteUser = endpoint('DELETE', '/users/me/muted_users/{muted_user_id}');

/** https://zulip.com/api/create-user: by administrators. */
export const createUser = endpoint('POST', '/users', {
  parameters: {
    email: text(z.string().check(z.maxLength(320))),
    password: text(z.string().check(z.maxLength(passwordLength.most))),
    full_name: text(z.string().check(z.maxLength(1000))),
  },
  answer: z.object({ user_id: z.optional(z.int()) }),
});

/** https://zulip.com/api/update-user: by administrators. */
export const updateUser = endpoint('PATCH', '/users/{user_id}', {
  parameters: {
    full_name: text(z.optional(z.string().check(z.maxLength(1000)))),
    role: json(z.optional(role)),
  },
});

/** https://zulip.com/api/deactivate-user: by administrators. */
export const deactivateUser = endpoint('DELETE', '/users/{user_id}');

/** https://zulip.com/api/reactivate-user: by administrators. */
export const reactivateUser = endpoint('POST', '/users/{user_id}/reactivate');

/** https://zulip.com/api/get-own-user */
export const getOwnUser = endpoint('GET', '/users/me', {
  bots: 'all',
  answer: z.extend(user, { max_message_id: z.optional(z.int()), pointer: z.optional(z.int()) }),
});

/** https://zulip.com/api/update-settings: the member's own profile and settings. */
export const updateSettings = endpoint('PATCH', '/settings', {
  bots: 'none',
  parameters: {
    full_name: text(z.optional(z.string().check(z.maxLength(1000)))),
    email: text(z.optional(z.string().check(z.maxLength(320)))),
    /** IANA name: `Asia/Tokyo`. */
    timezone: text(z.optional(z.string().check(z.maxLength(100)))),
    // See `userSettings`.
    send_read_receipts: json(z.optional(z.boolean())),
    presence_enabled: json(z.optional(z.boolean())),
    send_private_typing_notifications: json(z.optional(z.boolean())),
    send_stream_typing_notifications: json(z.optional(z.boolean())),
    enable_drafts_synchronization: json(z.optional(z.boolean())),
    enter_sends: json(z.optional(z.boolean())),
    color_scheme: json(z.optional(z.literal([1, 2, 3]))),
    default_language: text(z.optional(z.string().check(z.maxLength(50)))),
    enable_desktop_notifications: json(z.optional(z.boolean())),
    enable_stream_desktop_notifications: json(z.optional(z.boolean())),
    enable_sounds: json(z.optional(z.boolean())),
    notification_sound: text(z.optional(z.string().check(z.maxLength(50)))),
    twenty_four_hour_time: json(z.optional(z.boolean())),
    pm_content_in_desktop_notifications: json(z.optional(z.boolean())),
    display_emoji_reaction_users: json(z.optional(z.boolean())),
    emojiset: text(z.optional(z.string().check(z.maxLength(50)))),
    starred_message_counts: json(z.optional(z.boolean())),
    compact_messages: json(z.optional(z.boolean())),
    photo_audience: json(z.optional(audience)),
    status_audience: json(z.optional(audience)),
    groups_audience: json(z.optional(audience)),
  },
});

const { parameters: settingParameters } = updateSettings;
/** The part of `updateSettings` that older clients change here, such as Zulip's Python client. */
export const updateNotificationSettings = endpoint('PATCH', '/settings/notifications', {
  bots: 'none',
  parameters: {
    enable_desktop_notifications: settingParameters.enable_desktop_notifications,
    enable_stream_desktop_notifications: settingParameters.enable_stream_desktop_notifications,
    enable_sounds: settingParameters.enable_sounds,
    notification_sound: settingParameters.notification_sound,
    pm_content_in_desktop_notifications: settingParameters.pm_content_in_desktop_notifications,
    presence_enabled: settingParameters.presence_enabled,
  },
});

/** Ours: counts one use of an emoji for `frequent_emoji`. */
export const countEmojiUse = endpoint('POST', '/users/me/emoji_uses', {
  bots: 'none',
  parameters: { emoji: text(z.string().check(z.trim(), z.minLength(1), z.maxLength(maxEmojiKeyLength))) },
});

/** Revokes all keys of the member and answers a new one. */
export const regenerateApiKey = endpoint('POST', '/users/me/api_key/regenerate', {
  bots: 'none',
  answer: z.object({ api_key: z.string() }),
});

/** The read position of Zulip before 3.0: a message id, -1 at the beginning. */
export const getPointer = endpoint('GET', '/users/me/pointer', { answer: z.object({ pointer: z.int() }) });

const pointerChange = { parameters: { pointer: json(z.int().check(z.gte(0))) } };
/** Moves the pointer forward, never back. */
export const updatePointer = endpoint('POST', '/users/me/pointer', pointerChange);
/** `updatePointer` with the method PUT, which Zulip's old clients use. */
export const putPointer = endpoint('PUT', '/users/me/pointer', pointerChange);
