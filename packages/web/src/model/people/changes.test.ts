import { type KnownEvent } from '@engawa/protocol';
import { expect, it } from 'vitest';
import { ken } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { after } from '../../../test/exampleState.ts';

it('When a member’s name changes, all screens show the new name', () => {
  const renamed: KnownEvent = { id: 1, type: 'realm_user', op: 'update', person: { user_id: 2, full_name: '石川 けん' } };
  expect(after(begin(), renamed).users.get(2)).toEqual({ ...ken, full_name: '石川 けん' });
  expect(after(begin(), renamed, renamed).formerNames).toEqual([{ user_id: 2, name: ken.full_name }]);
});
