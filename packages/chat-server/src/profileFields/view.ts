import type { ProfileData, ProfileField } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import type { Row } from '../schema.ts';
import { escapeHtml } from '../text/characters.ts';
import { fieldTypes } from './types.ts';
import { type ProfileFieldRow, profileFields, profileValues } from './store.ts';

function profileFieldView({ id, type, name, hint, field_data, in_summary }: ProfileFieldRow, index: number): ProfileField {
  return {
    id,
    type,
    order: index + 1,
    name,
    hint,
    field_data,
    ...(in_summary === 1 ? { display_in_profile_summary: true } : {}),
    required: false,
    editable_by_user: true,
  };
}

export const profileFieldViews = (reader: Reader): ProfileField[] => profileFields.all(reader).map(profileFieldView);

export function profileFieldState(reader: Reader) {
  return { custom_profile_fields: profileFieldViews(reader), custom_profile_field_types: fieldTypes };
}

/** The values of users by their ids. */
export type ProfilesOf = (userId: number) => { readonly profile_data?: ProfileData };

export function profilesOf(reader: Reader, userIds: readonly number[]): ProfilesOf {
  const rows = profileValues.of(reader, userIds);
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
  const types = new Map(rows.length === 0 ? [] : profileFields.all(reader).map(({ id, type }) => [id, type]));
  return (userId) => {
    const own = byUser.get(userId);
    return own
      ? { profile_data: Object.fromEntries(own.map((row) => [row.field_id, valueView(row, types.get(row.field_id))])) }
      : {};
  };
}

export const noProfiles: ProfilesOf = () => ({});

/** Texts also have HTML, as other clients expect. */
export function valueView({ value }: Pick<Row<'profile_value'>, 'value'>, type: number | undefined) {
  const isText = type === fieldTypes.SHORT_TEXT.id || type === fieldTypes.LONG_TEXT.id;
  return { value, ...(isText ? { rendered_value: `<p>${escapeHtml(value)}</p>` } : {}) };
}
