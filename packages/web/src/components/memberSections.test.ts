import { describe, expect, it } from 'vitest';
import { foundIn, memberSections, type Member, type MemberSection } from './memberSections.ts';

const person = (userId: number, fullName: string, reading = ''): Member => ({
  userId,
  fullName,
  reading,
  email: `member${userId}@engawa.example`,
  avatarUrl: undefined,
});

const people = [
  person(1, '佐藤 美咲', 'さとう みさき'),
  person(2, '山田 葵', 'やまだ あおい'),
  person(3, '安部 翔', 'あべ しょう'),
  person(4, 'Smith'),
  person(5, '林'),
];
const departments = [
  {
    departmentCd: '1',
    displayName: '開発本部',
    memberIds: [2],
    children: [
      { departmentCd: '1-1', displayName: '製品開発部', memberIds: [1, 3, 99] },
      { departmentCd: '1-2', displayName: 'デザイン室', memberIds: [3] },
    ],
  },
  { departmentCd: '2', displayName: '空の部署', memberIds: [] },
];

const sections = memberSections(people, departments);
const shown = (found: readonly MemberSection[]) =>
  found.map(({ department, members }) => [department?.name, ...members.map(({ fullName }) => fullName)]);

describe('memberSections', () => {
  it('[R2.7.2] memberSections groups members by department, sorted by reading, and members without a department last', () => {
    expect(shown(sections)).toEqual([
      ['開発本部', '山田 葵'],
      ['製品開発部', '安部 翔', '佐藤 美咲'],
      ['デザイン室', '安部 翔'],
      [undefined, 'Smith', '林'],
    ]);
  });

  it('[R2.7.2] memberSections returns for each department all members in it and its descendants, without duplicates', () => {
    expect(sections[0]?.department?.userIds).toEqual([2, 3, 1]);
  });

  it('memberSections returns all members in one section if the server sends departments without members', () => {
    const [tree] = departments;
    const bare = { departmentCd: '1', displayName: tree?.displayName ?? '' };
    expect(shown(memberSections(people, [bare]))).toEqual([[undefined, 'Smith', '安部 翔', '佐藤 美咲', '山田 葵', '林']]);
  });

  it.each([
    ['山田', [['開発本部', '山田 葵']]],
    ['ヤマダ', [['開発本部', '山田 葵']]],
    ['みさき さとう', [['製品開発部', '佐藤 美咲']]],
    ['member4', [[undefined, 'Smith']]],
    ['デザイン', [['デザイン室', '安部 翔']]],
    ['開発 あべ', [['製品開発部', '安部 翔']]],
    ['だれもいない', []],
  ])('[R2.7.2] foundIn finds members by name, reading, email or department: %s', (query, found) => {
    expect(shown(foundIn(sections, query))).toEqual(found);
  });

  it('[R2.7.2] foundIn finds a department by name although it has no direct members', () => {
    const nobodyItself = [{ ...departments[0], departmentCd: '1', displayName: '開発本部', memberIds: [] }];
    expect(shown(foundIn(memberSections(people, nobodyItself), '開発本部'))).toEqual([['開発本部']]);
  });
});
