import { roles, type KnownEvent } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { ken } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { after } from '../../../test/exampleState.ts';
import { selectMember } from './memberView.ts';

it('When a member’s name changes, all screens show the new name', () => {
  const renamed: KnownEvent = { id: 1, type: 'realm_user', op: 'update', person: { user_id: 2, full_name: '石川 けん' } };
  expect(after(begin(), renamed).users.get(2)).toEqual({ ...ken, full_name: '石川 けん' });
  expect(after(begin(), renamed, renamed).formerNames).toEqual([{ user_id: 2, name: ken.full_name }]);
});

it('When a guest loses sight of a user, the model forgets the user, their presence, status and former names', () => {
  const known = begin({
    presences: new Map([[ken.user_id, { active: 1, idle: 1 }]]),
    statuses: new Map([[ken.user_id, { text: '会議中', busy: false }]]),
    formerNames: [{ user_id: ken.user_id, name: '石川 建' }],
  });
  const person = { user_id: ken.user_id, full_name: 'Unknown user' };
  const state = after(known, { id: 1, type: 'realm_user', op: 'remove', person });
  for (const each of [state.users, state.presences, state.statuses]) expect([...each.keys()]).not.toContain(ken.user_id);
  expect(state.formerNames).toEqual([]);
  const again = after(state, { id: 2, type: 'realm_user', op: 'add', person: ken });
  expect(again.users.get(ken.user_id)).toEqual(ken);
});

it('When a member becomes a guest, the model knows it without a new registration', () => {
  const change: KnownEvent = { id: 1, type: 'realm_user', op: 'update', person: { user_id: ken.user_id, role: roles.guest } };
  expect(selectMember(after(begin(), change), ken.user_id)?.isGuest).toBe(true);
  const back: KnownEvent = { id: 2, type: 'realm_user', op: 'update', person: { user_id: ken.user_id, role: roles.member } };
  expect(selectMember(after(begin(), change, back), ken.user_id)?.isGuest).toBe(false);
});
