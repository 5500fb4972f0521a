import {
  type Audience,
  type ParametersOut,
  type UserSettings,
  type updateSettings,
  languages,
  notificationSounds,
} from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { Groups } from '../identity/groups.ts';
import { users } from '../identity/store.ts';

type Asked = Omit<ParametersOut<typeof updateSettings>, 'full_name' | 'email' | 'timezone'>;

/**
 * The settings that a call asks for, as they are kept.
 * @throws ChatError when one of them has a value that there is not.
 */
export function checkedSettings(reader: Reader, groups: Groups, asked: Asked): UserSettings {
  const { default_language: language, notification_sound: sound } = asked;
  if (language !== undefined && !isOneOf(languages, language)) throw refused.because('Invalid default_language');
  if (sound !== undefined && !isOneOf(notificationSounds, sound)) {
    throw refused.because(`Invalid notification sound '${sound}'`);
  }
  const selection = (audience: Audience | undefined) => audience && selected(reader, groups, audience);
  return {
    ...asked,
    photo_audience: selection(asked.photo_audience),
    status_audience: selection(asked.status_audience),
    groups_audience: selection(asked.groups_audience),
  };
}

const isOneOf = (all: readonly string[], one: string): boolean => all.includes(one);

/** In one order, so that what is the same reads the same. Bounded by `maxAudienceMembers` and `maxAudienceDepartments`. */
function selected(reader: Reader, groups: Groups, { audience, user_ids, departments }: Audience): Audience {
  const stranger = user_ids.find((id) => !users.byId(reader, id));
  if (stranger !== undefined) throw refused.because(`Invalid user ID ${stranger}`);
  const unknown = departments.find((code) => !groups.isAudienceGroup(code));
  if (unknown !== undefined) throw refused.because(`Invalid department '${unknown}'`);
  return {
    audience,
    user_ids: [...new Set(user_ids)].toSorted((one, other) => one - other),
    departments: [...new Set(departments)].toSorted(),
  };
}
