import {
  type Audience,
  type AudienceSetting,
  type EverySetting,
  type SettingName,
  audience,
  everySetting,
} from '@engawa/protocol';
import type { Reader, Transaction } from '../database/index.ts';
import { statement } from '../schema.ts';
import { usual } from './usual.ts';

const selectOfUser = statement<{ user_id: number }>()((query, value) =>
  query.selectFrom('user_setting').select(['name', 'value']).where('user_id', '=', value.user_id),
);
const selectOne = statement<{ user_id: number; name: string }>()((query, value) =>
  query.selectFrom('user_setting').select('value').where('name', '=', value.name).where('user_id', '=', value.user_id),
);
const selectUsers = statement<{ name: string }>()((query, value) =>
  query.selectFrom('user_setting').select('user_id').where('name', '=', value.name),
);
const selectValues = statement<{ name: string }>()((query, value) =>
  query.selectFrom('user_setting').select(['user_id', 'value']).where('name', '=', value.name),
);
const put = statement<{ user_id: number; name: string; value: string }>()((query, value) =>
  query
    .insertInto('user_setting')
    .values({ user_id: value.user_id, name: value.name, value: value.value })
    .onConflict((conflict) => conflict.columns(['name', 'user_id']).doUpdateSet({ value: value.value })),
);
const remove = statement<{ user_id: number; name: string }>()((query, value) =>
  query.deleteFrom('user_setting').where('name', '=', value.name).where('user_id', '=', value.user_id),
);

/** What members have chosen for themselves. */
export const settings = {
  of(reader: Reader, userId: number): EverySetting {
    const chosen = reader.all(selectOfUser, { user_id: userId }).map(({ name, value }) => [name, JSON.parse(value)]);
    return everySetting.parse({ ...usual, ...Object.fromEntries(chosen) });
  },

  get<Name extends SettingName>(reader: Reader, userId: number, name: Name): EverySetting[Name] {
    const row = reader.get(selectOne, { user_id: userId, name });
    if (!row) return usual[name];
    return everySetting.parse({ ...usual, [name]: JSON.parse(row.value) })[name];
  },

  /** The users with whom a setting is not as usual. */
  withOther: (reader: Reader, name: SettingName): number[] => reader.all(selectUsers, { name }).map(({ user_id }) => user_id),

  /** The same with what they chose, by user id: one look-up, however many they are. */
  audiences: (reader: Reader, name: AudienceSetting): ReadonlyMap<number, Audience> =>
    new Map(reader.all(selectValues, { name }).map(({ user_id, value }) => [user_id, audience.parse(JSON.parse(value))])),

  put<Name extends SettingName>(tx: Transaction, userId: number, name: Name, value: EverySetting[Name]): void {
    const written = JSON.stringify(value);
    if (written === JSON.stringify(usual[name])) tx.run(remove, { user_id: userId, name });
    else tx.run(put, { user_id: userId, name, value: written });
  },
};
