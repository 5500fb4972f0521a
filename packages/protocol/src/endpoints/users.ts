import { z } from 'zod';
import { endpoint, json, text } from '../endpoint.ts';
import { role, user } from '../entities.ts';
import { maxEmojiKeyLength, passwordLength } from '../limits.ts';
import { audience } from '../settings.ts';

/** https://zulip.com/api/get-users */
export const getUsers = endpoint('GET', '/users', {
  parameters: {
    client_gravatar: json(z.boolean().default(true)),
    include_custom_profile_fields: json(z.boolean().default(false)),
  },
  answer: z.object({ members: z.array(user) }),
});

/** https://zulip.com/api/get-user */
export const getUser = endpoint('GET', '/users/{user_id}', { answer: z.object({ user }) });

/** https://zulip.com/api/create-user: by administrators. */
export const createUser = endpoint('POST', '/users', {
  parameters: {
    email: text(z.string().max(320)),
    password: text(z.string().max(passwordLength.most)),
    full_name: text(z.string().max(1000)),
  },
  answer: z.object({ user_id: z.int().optional() }),
});

/** https://zulip.com/api/update-user: by administrators. */
export const updateUser = endpoint('PATCH', '/users/{user_id}', {
  parameters: {
    full_name: text(z.string().max(1000).optional()),
    role: json(role.optional()),
  },
});

/** https://zulip.com/api/deactivate-user: by administrators. */
export const deactivateUser = endpoint('DELETE', '/users/{user_id}');

/** https://zulip.com/api/reactivate-user: by administrators. */
export const reactivateUser = endpoint('POST', '/users/{user_id}/reactivate');

/** https://zulip.com/api/get-own-user */
export const getOwnUser = endpoint('GET', '/users/me', {
  answer: user.extend({ max_message_id: z.int().optional(), pointer: z.int().optional() }),
});

/** https://zulip.com/api/update-settings: the member's own profile and settings. */
export const updateSettings = endpoint('PATCH', '/settings', {
  parameters: {
    full_name: text(z.string().max(1000).optional()),
    email: text(z.string().max(320).optional()),
    /** IANA name: `Asia/Tokyo`. */
    timezone: text(z.string().max(100).optional()),
    // See `userSettings`.
    send_read_receipts: json(z.boolean().optional()),
    presence_enabled: json(z.boolean().optional()),
    send_private_typing_notifications: json(z.boolean().optional()),
    send_stream_typing_notifications: json(z.boolean().optional()),
    enable_drafts_synchronization: json(z.boolean().optional()),
    enter_sends: json(z.boolean().optional()),
    color_scheme: json(z.literal([1, 2, 3]).optional()),
    default_language: text(z.string().max(50).optional()),
    enable_desktop_notifications: json(z.boolean().optional()),
    enable_stream_desktop_notifications: json(z.boolean().optional()),
    enable_sounds: json(z.boolean().optional()),
    notification_sound: text(z.string().max(50).optional()),
    compact_messages: json(z.boolean().optional()),
    photo_audience: json(audience.optional()),
    status_audience: json(audience.optional()),
    groups_audience: json(audience.optional()),
  },
});

/** Ours: counts one use of an emoji for `frequent_emoji`. */
export const countEmojiUse = endpoint('POST', '/users/me/emoji_uses', {
  parameters: { emoji: text(z.string().trim().min(1).max(maxEmojiKeyLength)) },
});

/** Revokes all keys of the member and answers a new one. */
export const regenerateApiKey = endpoint('POST', '/users/me/api_key/regenerate', { answer: z.object({ api_key: z.string() }) });

/** The read position of Zulip before 3.0: a message id, -1 at the beginning. */
export const getPointer = endpoint('GET', '/users/me/pointer', { answer: z.object({ pointer: z.int() }) });

const pointerChange = { parameters: { pointer: json(z.int().min(0)) } };
/** Moves the pointer forward, never back. */
export const updatePointer = endpoint('POST', '/users/me/pointer', pointerChange);
/** `updatePointer` with the method PUT, which Zulip's old clients use. */
export const putPointer = endpoint('PUT', '/users/me/pointer', pointerChange);
