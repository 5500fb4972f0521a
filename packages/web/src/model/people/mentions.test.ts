import { describe, expect, it } from 'vitest';
import type { UserGroup } from '@engawa/protocol';
import { ai, ken } from '../../../test/organisation.ts';
import { begin } from '../../../test/exampleState.ts';
import { peopleAfter } from './changes.ts';
import { selectMadeGroups, selectMentionedGroup, selectMentionedUser } from './mentions.ts';

const begun = begin();

function group(id: number, name: string, members: number[], direct_subgroup_ids: number[] = []): UserGroup {
  return { id, name, description: '', members, direct_subgroup_ids, is_system_group: false, deactivated: false };
}

const event = { id: 9, type: 'user_group', group_id: 102 } as const;

describe('A mention', () => {
  const departments = [
    {
      departmentCd: '1',
      displayName: '開発本部',
      memberIds: [],
      children: [{ departmentCd: '1-1', displayName: 'デザイン室', memberIds: [ai.user_id] }],
    },
    { departmentCd: '2', displayName: '営業本部', memberIds: [ken.user_id] },
  ];

  it('[I5.5] A mention by name or by id shows the current name of the user', () => {
    expect(selectMentionedUser(begun, '石川 健', undefined)).toEqual({ name: '石川 健', userId: ken.user_id, isMe: false });
    expect(selectMentionedUser(begun, '田中 愛', undefined)).toEqual({ name: '田中 愛', userId: ai.user_id, isMe: true });
    expect(selectMentionedUser(begun, '旧姓 愛', ai.user_id)).toEqual({ name: '田中 愛', userId: ai.user_id, isMe: true });
    expect(selectMentionedUser(begun, '', ken.user_id)).toEqual({ name: '石川 健', userId: ken.user_id, isMe: false });
    expect(selectMentionedUser(begun, '誰か', undefined)).toBeUndefined();
    expect(selectMentionedUser(begun, '石川 健', 99)).toBeUndefined();
  });

  it('[I5.5, R4.12] A mention by a former name shows the current name of the member who had that name last', () => {
    const formerNames = [
      { user_id: ken.user_id, name: '石田 健' },
      { user_id: ai.user_id, name: '石田 健' },
      { user_id: ai.user_id, name: '石川 健' },
    ];
    expect(selectMentionedUser({ ...begun, formerNames }, '石田 健', undefined)).toEqual({
      name: '田中 愛',
      userId: ai.user_id,
      isMe: true,
    });
    expect(selectMentionedUser({ ...begun, formerNames }, '石川 健', undefined)).toEqual({
      name: '石川 健',
      userId: ken.user_id,
      isMe: false,
    });
    expect(selectMentionedUser({ ...begun, formerNames }, '石田 健', 99)).toBeUndefined();
  });

  it('[I5.5] A mention of a name that two members share counts as a mention of both', () => {
    const users = new Map(begun.users).set(3, { ...ken, user_id: 3, full_name: '田中 愛' });
    const named = selectMentionedUser({ ...begun, users, memberId: 3 }, '田中 愛', undefined);
    expect(named).toEqual({ name: '田中 愛', userId: ai.user_id, isMe: true });
  });

  it('[I5.5] A mention of a department mentions all members of it and of the departments below', () => {
    expect(selectMentionedGroup(begun, '開発本部')).toBeUndefined();
    const state = { ...begun, departments };
    expect(selectMentionedGroup(state, '開発本部')).toEqual({ name: '開発本部', isMe: true });
    expect(selectMentionedGroup(state, '営業本部')).toEqual({ name: '営業本部', isMe: false });
    expect(selectMentionedGroup(state, '総務部')).toBeUndefined();
  });

  it('[I5.5] A mention of a group that members made shows its name and contains the members of its subgroups', () => {
    const inner = group(102, '内の会', [ai.user_id]);
    const groups = new Map([group(101, 'Hiking', [ken.user_id], [102]), inner].map((each) => [each.id, each]));
    const state = { ...begun, groups };
    expect(selectMentionedGroup(state, 'hiking')).toEqual({ name: 'Hiking', isMe: true });
    const left = peopleAfter(state, { ...event, op: 'remove_members', user_ids: [ai.user_id] });
    expect(selectMentionedGroup(left, 'hiking')).toEqual({ name: 'Hiking', isMe: false });
    const joined = peopleAfter(left, { ...event, op: 'add_members', user_ids: [ai.user_id] });
    expect(selectMentionedGroup(joined, '内の会')).toEqual({ name: '内の会', isMe: true });
    const apart = peopleAfter(joined, { ...event, group_id: 101, op: 'remove_subgroups', direct_subgroup_ids: [102] });
    expect(selectMentionedGroup(apart, 'hiking')).toEqual({ name: 'Hiking', isMe: false });
    const renamed = peopleAfter(apart, { ...event, op: 'update', data: { name: '庭の会' } });
    expect(selectMentionedGroup(renamed, '内の会')).toBeUndefined();
    expect(selectMadeGroups(peopleAfter(renamed, { ...event, op: 'remove' })).map(({ id }) => id)).toEqual([101]);
    expect(
      selectMadeGroups(peopleAfter(apart, { id: 9, type: 'user_group', op: 'add', group: group(103, '新', []) })),
    ).toHaveLength(3);
  });

  it('[I5.5] The object of a mention stays identical until the mention names another user', () => {
    const state = { ...begun, departments };
    const user = selectMentionedUser(state, '石川: 健', ken.user_id);
    expect(selectMentionedUser({ ...state }, '石川: 健', ken.user_id)).toBe(user);
    expect(selectMentionedGroup({ ...state }, '開発本部')).toBe(selectMentionedGroup(state, '開発本部'));
  });
});
