import type { Reader } from '../database/index.ts';
import { realms } from '../realm/store.ts';
import { columns } from '../schema.ts';
import { settings } from '../settings/store.ts';
import { realmId } from './format.ts';
import { usersIn } from './pages.ts';
import { exported } from './store.ts';

/** Texts of members that Zulip shows in their profiles, by user id and in the order of `fields`. */
export interface Profiles {
  readonly fields: readonly string[];
  readonly values: () => Iterable<{ readonly userId: number; readonly texts: readonly string[] }>;
}

/** The settings of members that Zulip has too, under the same names. */
const sharedSettings = [
  'send_read_receipts',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_stream_typing_notifications',
  'enable_drafts_synchronization',
  'enter_sends',
  'color_scheme',
  'default_language',
  'enable_desktop_notifications',
  'enable_stream_desktop_notifications',
  'enable_sounds',
  'notification_sound',
  'twenty_four_hour_time',
  'pm_content_in_desktop_notifications',
  'display_emoji_reaction_users',
  'emojiset',
  'starred_message_counts',
] as const;

export function* userRows(reader: Reader, hasPicture: (userId: number) => boolean): Generator<object, void> {
  for (const user of usersIn(reader)) {
    yield {
      id: user.id,
      realm: realmId,
      email: user.email,
      delivery_email: user.email,
      full_name: user.full_name,
      role: user.role,
      is_active: user.is_active === 1,
      is_bot: user.is_bot === 1,
      bot_type: user.bot_type,
      bot_owner: user.bot_owner_id,
      is_mirror_dummy: false,
      long_term_idle: false,
      last_active_message_id: null,
      date_joined: user.date_joined,
      last_login: null,
      last_reminder: null,
      timezone: user.timezone,
      // The import renders no message of a user without this key.
      translate_emoticons: false,
      avatar_source: hasPicture(user.id) ? 'U' : 'G',
      avatar_version: 1,
      default_sending_stream: null,
      default_events_register_stream: null,
      user_permissions: [],
      groups: [],
      ...columns(settings.of(reader, user.id), sharedSettings),
    };
  }
}

export function alertWordRows(reader: Reader): object[] {
  return exported.alertWords(reader).map(({ id, user_id, word }) => ({ id, realm: realmId, user_profile: user_id, word }));
}

export function presenceRows(reader: Reader): object[] {
  return exported.presences(reader).map(({ user_id, active, idle }, index) => ({
    id: index + 1,
    realm: realmId,
    user_profile: user_id,
    last_active_time: active,
    last_connected_time: Math.max(active, idle),
  }));
}

/** Only those that everyone may see, because Zulip shows a status to everyone. */
export function statusRows(reader: Reader): object[] {
  const audiences = settings.audiences(reader, 'status_audience');
  const isOpen = (userId: number): boolean => (audiences.get(userId)?.audience ?? 'everyone') === 'everyone';
  return exported
    .statuses(reader)
    .filter(({ user_id }) => isOpen(user_id))
    .map(({ user_id, reaction_type: type, ...status }, index) => ({
      id: index + 1,
      user_profile: user_id,
      client: 1,
      timestamp: realms.get(reader)?.created,
      ...status,
      // A status without an emoji has none of our types.
      reaction_type: type === '' ? 'unicode_emoji' : type,
    }));
}

const shortText = 1;

export function profileFieldRow(name: string, index: number) {
  const place = { id: index + 1, realm: realmId, order: index };
  return { ...place, name, hint: '', field_type: shortText, field_data: '', display_in_profile_summary: false };
}

export function* profileValueRows({ values }: Profiles): Generator<object, void> {
  let id = 0;
  for (const { userId, texts } of values()) {
    for (const [index, value] of texts.entries()) {
      if (value === '') continue;
      id += 1;
      yield { id, user_profile: userId, field: index + 1, value, rendered_value: null };
    }
  }
}
