import {
  type Audience,
  type AudienceSetting,
  type EverySetting,
  type SettingName,
  audience,
  colorSchemes,
  everySetting,
} from '@engawa/protocol';
import type { Reader, Transaction, Value } from '../database/index.ts';
import { queries } from '../schema.ts';

const everyone: Audience = { audience: 'everyone', user_ids: [], departments: [] };

/** The value that each setting has until the member changes it. */
export const defaults: EverySetting = {
  send_read_receipts: true,
  presence_enabled: true,
  send_private_typing_notifications: true,
  send_stream_typing_notifications: true,
  enable_drafts_synchronization: true,
  enter_sends: true,
  color_scheme: colorSchemes.light,
  default_language: 'ja',
  enable_desktop_notifications: true,
  enable_stream_desktop_notifications: false,
  enable_sounds: true,
  notification_sound: 'chime',
  twenty_four_hour_time: true,
  pm_content_in_desktop_notifications: true,
  display_emoji_reaction_users: true,
  emojiset: 'google',
  starred_message_counts: true,
  compact_messages: false,
  photo_audience: everyone,
  status_audience: everyone,
  groups_audience: everyone,
  frequent_emoji: {},
};

const selectOf = queries.rows((query, userId: Value<number>) =>
  query.selectFrom('user_setting').select(['name', 'value']).where('user_id', '=', userId),
);
const selectValue = queries.value((query, userId: Value<number>, name: Value<string>) =>
  query.selectFrom('user_setting').select('value').where('name', '=', name).where('user_id', '=', userId),
);
const selectValues = queries.rows((query, name: Value<string>) =>
  query.selectFrom('user_setting').select(['user_id', 'value']).where('name', '=', name),
);
const put = queries.run((query, userId: Value<number>, name: Value<string>, value: Value<string>) =>
  query
    .insertInto('user_setting')
    .values({ user_id: userId, name, value })
    .onConflict((conflict) => conflict.columns(['name', 'user_id']).doUpdateSet({ value })),
);
const remove = queries.run((query, userId: Value<number>, name: Value<string>) =>
  query.deleteFrom('user_setting').where('name', '=', name).where('user_id', '=', userId),
);

/** The members' own settings. Only values that differ from the defaults are stored. */
export const settings = {
  of(reader: Reader, userId: number): EverySetting {
    const stored = selectOf(reader, userId).map(({ name, value }) => [name, JSON.parse(value)]);
    return everySetting.parse({ ...defaults, ...Object.fromEntries(stored) });
  },

  get<Name extends SettingName>(reader: Reader, userId: number, name: Name): EverySetting[Name] {
    const value = selectValue(reader, userId, name);
    if (value === undefined) return defaults[name];
    return everySetting.parse({ ...defaults, [name]: JSON.parse(value) })[name];
  },

  usersWithOther: queries.values((query, name: Value<SettingName>) =>
    query.selectFrom('user_setting').select('user_id').where('name', '=', name),
  ),

  audiences: (reader: Reader, name: AudienceSetting): ReadonlyMap<number, Audience> =>
    new Map(selectValues(reader, name).map(({ user_id, value }) => [user_id, audience.parse(JSON.parse(value))])),

  put<Name extends SettingName>(tx: Transaction, userId: number, name: Name, value: EverySetting[Name]): void {
    const written = JSON.stringify(value);
    if (written === JSON.stringify(defaults[name])) remove(tx, userId, name);
    else put(tx, userId, name, written);
  },
};
