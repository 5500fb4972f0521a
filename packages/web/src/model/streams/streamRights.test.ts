import type { Capability } from '@engawa/protocol/product';
import { describe, expect, it } from 'vitest';
import { staysIn, whyNot, type StreamAct } from './streamRights.ts';
import type { Me } from '../people/selectors.ts';

const acts: readonly StreamAct[] = ['rename', 'describe', 'picture', 'invite', 'remove', 'leave', 'archive', 'delete'];
const capabilities: readonly Capability[] = ['put_away', 'stream_pictures', 'creator_rights'];
const stream = { streamId: 7, name: '営業部', creatorId: 1 };
const headquarters = { streamId: 8, name: '本部' };
const member = (change: Partial<Me> = {}): Me => ({
  userId: 2,
  email: 'ai@example.com',
  fullName: '田中 愛',
  timezone: '',
  avatarUrl: undefined,
  isAdministrator: false,
  isGuest: false,
  ...change,
});
const departments = [
  {
    departmentCd: '1',
    displayName: '本部',
    streamId: 8,
    memberIds: [5],
    children: [
      {
        departmentCd: '2',
        displayName: '営業部',
        streamId: 7,
        memberIds: [2],
        children: [{ departmentCd: '3', displayName: '一課', memberIds: [3] }],
      },
    ],
  },
];

const refusals = (me: Me | undefined, change: object = {}) =>
  Object.fromEntries(
    acts.flatMap((act) => {
      const why = whyNot(act, { stream, me, departments: [], capabilities, ...change });
      return why ? [[act, why]] : [];
    }),
  );

describe('The actions on a stream', () => {
  const forManagers = { rename: 'manager', describe: 'manager', picture: 'manager', remove: 'manager', delete: 'manager' };

  it('[R2.11.1] [R2.11.4] The creator of a stream and administrators may do everything with it', () => {
    expect(refusals(member({ userId: 1 }))).toEqual({});
    expect(refusals(member({ isAdministrator: true }))).toEqual({});
  });

  it('[R2.11.1] Other members may add users to a stream and leave it, and guests may only leave it', () => {
    expect(refusals(member())).toEqual(forManagers);
    expect(refusals(member({ userId: 1, isGuest: true }))).toEqual({ ...forManagers, invite: 'guest' });
  });

  it('[R2.11.1] Nobody may rename or close the stream of a department, and members of the department may not leave it', () => {
    const bound = { rename: 'bound', delete: 'bound' };
    expect(refusals(member({ userId: 9, isAdministrator: true }), { departments })).toEqual(bound);
    expect(refusals(member({ userId: 2, isAdministrator: true }), { departments })).toEqual({ ...bound, leave: 'belongs' });
    expect([2, 3, 5, 9].map((userId) => staysIn(departments, stream, userId))).toEqual([true, true, false, false]);
    expect([2, 3, 5, 9].map((userId) => staysIn(departments, headquarters, userId))).toEqual([true, true, true, false]);
  });

  it('[R7.8] Members do not leave the stream that their department opens by its name', () => {
    const named = [{ departmentCd: '1', displayName: '営業部', memberIds: [2] }];
    expect(refusals(member({ isAdministrator: true }), { departments: named })).toEqual({ leave: 'belongs' });
    expect(refusals(member({ userId: 9, isAdministrator: true }), { departments: named })).toEqual({});
    expect([2, 9].map((userId) => staysIn(named, stream, userId))).toEqual([true, false]);
    // The department has another stream, although this one has its name.
    expect(staysIn([{ ...named[0], departmentCd: '1', displayName: '営業部', streamId: 8 }], stream, 2)).toBe(false);
  });

  it('[R7.8] Actions on a stream that the server does not support are not offered, and the creator is not named as a manager', () => {
    expect(refusals(member({ userId: 1 }), { capabilities: [] })).toEqual({
      rename: 'administrator',
      describe: 'administrator',
      remove: 'administrator',
      delete: 'administrator',
      picture: 'server',
      archive: 'server',
    });
  });
});
