import * as api from '@engawa/protocol';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow, mustBeAdministrator } from '../identity/currentMember.ts';
import { publishFields } from './events.ts';
import { type ProfileFieldRow, profileFields, profileValues } from './store.ts';
import { checkedValue, fieldTypes, isFieldType } from './types.ts';
import { profileFieldViews, valueView } from './view.ts';

export function profileFieldRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(api.getProfileFields, () => ({ custom_fields: profileFieldViews(database.reader) })),

    memberRoute(api.createProfileField, async (request, { member }) => ({
      id: await database.write((tx) => {
        mustBeAdministrator(tx, member);
        const all = profileFields.all(tx);
        if (all.length >= api.maxProfileFields)
          throw refused.because(`Too many profile fields (limit: ${api.maxProfileFields}).`);
        if (!isFieldType(request.field_type)) throw refused.because('Invalid field type.');
        const empty = {
          id: 0,
          type: request.field_type,
          position: (all.at(-1)?.position ?? 0) + 1,
          name: '',
          hint: '',
          field_data: '',
          in_summary: 0,
        };
        const id = profileFields.insert(tx, changed(tx, empty, request));
        publishFields(tx, log);
        return id;
      }),
    })),

    memberRoute(api.updateProfileField, ({ field_id, ...request }, { member }) =>
      database.write((tx) => {
        mustBeAdministrator(tx, member);
        profileFields.update(tx, field_id, changed(tx, fieldOf(tx, field_id), request));
        publishFields(tx, log);
      }),
    ),

    memberRoute(api.deleteProfileField, ({ field_id }, { member }) =>
      database.write((tx) => {
        mustBeAdministrator(tx, member);
        fieldOf(tx, field_id);
        profileValues.removeOfField(tx, field_id);
        profileFields.delete(tx, field_id);
        publishFields(tx, log);
      }),
    ),

    memberRoute(api.reorderProfileFields, ({ order }, { member }) =>
      database.write((tx) => {
        mustBeAdministrator(tx, member);
        const known = new Map(profileFields.all(tx).map((row) => [row.id, row]));
        if (order.length !== known.size || new Set(order).size !== known.size) throw refused.because('Invalid order mapping.');
        order.forEach((id, index) => profileFields.update(tx, id, { ...fieldOf(tx, id), position: index + 1 }));
        publishFields(tx, log);
      }),
    ),

    memberRoute(api.updateProfileData, ({ data }, { member }) =>
      database.write((tx) => {
        const { id: userId } = memberNow(tx, member);
        for (const { id, value } of data) setValue(tx, log, userId, fieldOf(tx, id), value);
      }),
    ),

    memberRoute(api.deleteProfileData, ({ data }, { member }) =>
      database.write((tx) => {
        const { id: userId } = memberNow(tx, member);
        for (const id of data) setValue(tx, log, userId, fieldOf(tx, id), '');
      }),
    ),
  ];
}

function fieldOf(reader: Reader, id: number): ProfileFieldRow {
  const field = profileFields.all(reader).find((each) => each.id === id);
  if (!field) throw refused.because(`Field id ${id} not found.`);
  return field;
}

function setValue(tx: Transaction, log: EventLog, userId: number, field: ProfileFieldRow, value: string): void {
  const cleaned = checkedValue(field, value);
  if (cleaned === '') profileValues.remove(tx, field.id, userId);
  else profileValues.set(tx, { field_id: field.id, user_id: userId, value: cleaned });
  const view = cleaned === '' ? { value: null } : valueView({ value: cleaned }, field.type);
  const person = { user_id: userId, custom_profile_field: { id: field.id, ...view } };
  log.append(tx, { type: 'realm_user', reach: 'everyone', payload: { op: 'update', person } });
}

type Properties = Omit<api.ParametersOut<typeof api.updateProfileField>, 'field_id'>;

const mostInSummary = 2;

/** @throws ChatError */
function changed(reader: Reader, field: ProfileFieldRow, request: Properties): Omit<ProfileFieldRow, 'id'> {
  const name = (request.name ?? field.name).toWellFormed().trim();
  const hint = (request.hint ?? field.hint).toWellFormed().trim();
  const field_data = request.field_data === undefined ? field.field_data : JSON.stringify(request.field_data);
  const in_summary = Number(request.display_in_profile_summary ?? field.in_summary === 1);
  const others = profileFields.all(reader).filter(({ id }) => id !== field.id);
  if (name === '') throw refused.because('Label cannot be blank.');
  if ([...name].length > api.profileFieldLength.name)
    throw refused.because(`name is too long (limit: ${api.profileFieldLength.name} characters)`);
  if ([...hint].length > api.profileFieldLength.hint)
    throw refused.because(`hint is too long (limit: ${api.profileFieldLength.hint} characters)`);
  if (field_data.length > api.profileFieldLength.data) throw refused.because('field_data is too long');
  const hasChoices = field_data !== '' && field_data !== '{}';
  if (hasChoices !== (field.type === fieldTypes.SELECT.id)) {
    throw refused.because(hasChoices ? 'Only fields with choices have field_data.' : 'Field must have at least one choice.');
  }
  if (others.some((each) => each.name === name)) throw refused.because('A field with that label already exists.');
  if (in_summary === 1 && others.filter((each) => each.in_summary === 1).length >= mostInSummary) {
    throw refused.because(`Only ${mostInSummary} custom profile fields can be displayed in the profile summary.`);
  }
  return { type: field.type, position: field.position, name, hint, field_data: hasChoices ? field_data : '', in_summary };
}
