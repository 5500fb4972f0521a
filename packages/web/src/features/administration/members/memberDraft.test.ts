import { expect, it } from 'vitest';
import { roles } from '@engawa/protocol';
import type { AdministeredMember } from '@engawa/protocol/administration';
import { changeOf, complaintsAbout, draftOf, emptyMember, rolesFor } from './memberDraft.ts';

const member: AdministeredMember = {
  user_id: 7,
  full_name: '田中 翔',
  email: 'tanaka@engawa.example',
  role: roles.member,
  is_active: true,
  reading: 'たなか しょう',
  title: '主任',
  departments: ['1200', '1300'],
  joined: 1,
  has_password: true,
};
const before = draftOf(member);

it('[I7.2] The form of a member sends only the edited fields, so that changes of another administrator are kept', () => {
  expect(changeOf(before, before)).toEqual({});
  expect(changeOf(before, { ...before, title: ' 課長 ', role: roles.administrator })).toEqual({ title: '課長', role: 200 });
});

it('[I7.2] The form of a member sends all departments if one of them or their order has changed', () => {
  expect(changeOf(before, { ...before, departments: ['1300', '1200'] })).toEqual({ departments: ['1300', '1200'] });
  expect(changeOf(before, { ...before, departments: [] })).toEqual({ departments: [] });
});

it('[I7.2] The form of a member accepts a name and an email as the only values', () => {
  expect(complaintsAbout(emptyMember)).toEqual({ name: 'required', email: 'required' });
  expect(complaintsAbout({ ...emptyMember, name: '翔', email: 'tanaka' })).toEqual({ name: 'minLength', email: 'email' });
  expect(complaintsAbout({ ...emptyMember, name: '田中 翔', email: 'a@b.example' })).toEqual({});
  expect(complaintsAbout({ ...before, title: 'あ'.repeat(101) })).toEqual({ title: 'maxLength' });
});

it('[I7.2] An administrator can assign every role except owner, and only owners appoint and change owners', () => {
  expect(rolesFor({ isOwner: false, role: roles.member })).toEqual([200, 300, 400, 600]);
  expect(rolesFor({ isOwner: true, role: roles.member })).toEqual([100, 200, 300, 400, 600]);
  expect(rolesFor({ isOwner: false, role: roles.owner })).toEqual([100]);
});
