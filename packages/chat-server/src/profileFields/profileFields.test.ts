import * as api from '@engawa/protocol';
import { expect, it } from 'vitest';
import * as eg from '../testing/eg.ts';

async function setup() {
  const server = await eg.server();
  const as = (name: string) => eg.signIn(server, name);
  const create = async (field: api.ParametersIn<typeof api.createProfileField>) =>
    (await as('sato').ok(api.createProfileField, field)).id;
  const set = (name: string, id: number, value: string) => as(name).ok(api.updateProfileData, { data: [{ id, value }] });
  return { server, as, create, set };
}

it('[R7.6] Members fill in profile fields, which the answers about users and register have', async () => {
  const { server, as, create, set } = await setup();
  const id = await create({ name: '内線', hint: '四桁', field_type: 1, display_in_profile_summary: true });
  await set('suzuki', id, ' 1234 ');
  const user_id = server.user('suzuki');
  const data = { [id]: { value: '1234', rendered_value: '<p>1234</p>' } };
  const profile = async (include_custom_profile_fields: boolean) =>
    (await as('ito').ok(api.getUser, { user_id, include_custom_profile_fields })).user.profile_data;
  expect(await profile(true)).toEqual(data);
  expect(await profile(false)).toBeUndefined();
  const { members } = await as('ito').ok(api.getUsers, { include_custom_profile_fields: true });
  expect(members.map((user) => user.profile_data)).toEqual([undefined, undefined, data, undefined, undefined]);
  const state = await as('ito').ok(api.registerQueue, {});
  expect(state.realm_users?.find((user) => user.user_id === user_id)?.profile_data).toEqual(data);
  expect(state.custom_profile_fields).toEqual([
    {
      id,
      type: 1,
      order: 1,
      name: '内線',
      hint: '四桁',
      field_data: '',
      display_in_profile_summary: true,
      required: false,
      editable_by_user: true,
    },
  ]);
  expect(state.custom_profile_field_types).toMatchObject({ SHORT_TEXT: { id: 1 } });
  // The next register has the new value, although the users are serialised once.
  await as('suzuki').ok(api.deleteProfileData, { data: [id] });
  const after = await as('ito').ok(api.registerQueue, {});
  expect(after.realm_users?.some((user) => user.profile_data !== undefined)).toBe(false);
});

it('[R7.6] Administrators order, change and delete profile fields, and the values end with their field', async () => {
  const { as, create, set } = await setup();
  const [one, two] = [await create({ name: '内線', field_type: 1 }), await create({ name: '趣味', field_type: 2 })];
  await as('sato').ok(api.reorderProfileFields, { order: [two, one] });
  await as('sato').ok(api.updateProfileField, { field_id: one, name: '外線' });
  const fields = async () => (await as('ito').ok(api.getProfileFields, {})).custom_fields;
  expect((await fields()).map(({ id, name, order }) => [id, name, order])).toEqual([
    [two, '趣味', 1],
    [one, '外線', 2],
  ]);
  await set('suzuki', one, '1');
  await as('sato').ok(api.deleteProfileField, { field_id: one });
  const { members } = await as('ito').ok(api.getUsers, { include_custom_profile_fields: true });
  expect(members.some((user) => user.profile_data !== undefined)).toBe(false);
  expect((await as('sato').refused(api.reorderProfileFields, { order: [two, one] })).msg).toBe('Invalid order mapping.');
});

it.each([
  [1, 'x'.repeat(51), '項目 is too long (limit: 50 characters)'],
  [3, 'c', 'Invalid value for 項目'],
  [4, '2026-13-01', 'Invalid value for 項目'],
  [4, '2026-02-30', 'Invalid value for 項目'],
  [4, '2025-02-29', 'Invalid value for 項目'],
  [5, 'javascript:alert(1)', 'Invalid value for 項目'],
])('A field of type %i refuses the value %j', async (field_type, value, msg) => {
  const { as, create } = await setup();
  const field_data = field_type === 3 ? { a: { text: '会計', order: '1' } } : undefined;
  const id = await create({ name: '項目', field_type, ...(field_data && { field_data }) });
  expect((await as('ito').refused(api.updateProfileData, { data: [{ id, value }] })).msg).toBe(msg);
});

it('A field for dates keeps the last day of February of a leap year', async () => {
  const { as, create, set, server } = await setup();
  const id = await create({ name: '誕生日', field_type: 4 });
  await set('ito', id, '2024-02-29');
  const request = { user_id: server.user('ito'), include_custom_profile_fields: true };
  expect((await as('sato').ok(api.getUser, request)).user.profile_data).toEqual({ [id]: { value: '2024-02-29' } });
});

it('A new profile field comes last, also after others were deleted', async () => {
  const { as, create } = await setup();
  const ids: (number | undefined)[] = [];
  for (const name of ['一', '二', '三']) ids.push(await create({ name, field_type: 1 }));
  for (const field_id of ids.slice(0, 2)) await as('sato').ok(api.deleteProfileField, { field_id: field_id ?? 0 });
  await create({ name: '四', field_type: 1 });
  const { custom_fields } = await as('ito').ok(api.getProfileFields, {});
  expect(custom_fields.map(({ name }) => name)).toEqual(['三', '四']);
});

it.each([
  [{ name: '', field_type: 1 }, 'Label cannot be blank.'],
  [{ name: '相談役', field_type: 6 }, 'Invalid field type.'],
  [{ name: '係', field_type: 3 }, 'Field must have at least one choice.'],
  [{ name: '内線', field_type: 1 }, 'A field with that label already exists.'],
  [{ name: 'x'.repeat(41), field_type: 1 }, 'name is too long (limit: 40 characters)'],
])('A profile field like %j is refused', async (field, msg) => {
  const { as, create } = await setup();
  await create({ name: '内線', field_type: 1 });
  expect((await as('sato').refused(api.createProfileField, field)).msg).toBe(msg);
});
