import {
  type Audience,
  type ParametersOut,
  type UserSettings,
  type updateSettings,
  emojisets,
  languages,
  notificationSounds,
} from '@engawa/protocol';
import { refused } from '../errors.ts';

type SettingRequest = Omit<ParametersOut<typeof updateSettings>, 'full_name' | 'email' | 'timezone'>;

/** The users and departments that the member may name in an audience. */
export interface NamedInAudiences {
  readonly user: (id: number) => boolean;
  readonly department: (code: string) => boolean;
}

/** The settings to store. @throws ChatError for an invalid value. */
export function checkedSettings(request: SettingRequest, known: NamedInAudiences): UserSettings {
  const { default_language: language, notification_sound: sound, emojiset } = request;
  if (language !== undefined && !isOneOf(languages, language)) throw refused.because('Invalid default_language');
  if (sound !== undefined && !isOneOf(notificationSounds, sound)) {
    throw refused.because(`Invalid notification sound '${sound}'`);
  }
  if (emojiset !== undefined && !isOneOf(emojisets, emojiset)) throw refused.because('Invalid emojiset');
  const selection = (audience: Audience | undefined) => audience && selected(known, audience);
  return {
    ...request,
    photo_audience: selection(request.photo_audience),
    status_audience: selection(request.status_audience),
    groups_audience: selection(request.groups_audience),
  };
}

const isOneOf = (all: readonly string[], one: string): boolean => all.includes(one);

/** Sorted and without duplicates, so that equal audiences are equal as JSON and a change is recognised. */
function selected(known: NamedInAudiences, { audience, user_ids, departments }: Audience): Audience {
  const stranger = user_ids.find((id) => !known.user(id));
  if (stranger !== undefined) throw refused.because(`Invalid user ID ${stranger}`);
  const unknown = departments.find((code) => !known.department(code));
  if (unknown !== undefined) throw refused.because(`Invalid department '${unknown}'`);
  return {
    audience,
    user_ids: [...new Set(user_ids)].toSorted((one, other) => one - other),
    departments: [...new Set(departments)].toSorted(),
  };
}
