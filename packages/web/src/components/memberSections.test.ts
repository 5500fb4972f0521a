import { describe, expect, it } from 'vitest';
import { member } from '../../test/member.ts';
import { foundIn, memberSections, type MemberSection } from './memberSections.ts';

const people = [
  member(1, '佐藤 美咲', 'さとう みさき'),
  member(2, '山田 葵', 'やまだ あおい'),
  member(3, '安部 翔', 'あべ しょう'),
  member(4, 'Smith'),
  member(5, '林'),
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
    expect(sections[0]?.department?.members.map(({ userId }) => userId)).toEqual([2, 3, 1]);
  });

  it('memberSections returns all members in one section if the server sends departments without members', () => {
    const [tree] = departments;
    const bare = { departmentCd: '1', displayName: tree?.displayName ?? '' };
    expect(shown(memberSections(people, [bare]))).toEqual([[undefined, 'Smith', '安部 翔', '佐藤 美咲', '山田 葵', '林']]);
  });

  it.each([
    ['山田', [[undefined, '山田 葵']]],
    ['ヤマダ', [[undefined, '山田 葵']]],
    ['みさき さとう', [[undefined, '佐藤 美咲']]],
    ['あべ', [[undefined, '安部 翔']]],
    ['member4', [[undefined, 'Smith']]],
    ['デザイン', [['デザイン室', '安部 翔']]],
    ['開発 あべ', [[undefined, '安部 翔']]],
    ['だれもいない', []],
  ])('[R2.7.2] foundIn finds members by name, reading, email or department: %s', (query, found) => {
    expect(shown(foundIn(sections, query))).toEqual(found);
  });

  it('[R2.7.2] foundIn lists a member whose name matches before a department of that name, and a member found by email after it', () => {
    const smiths = memberSections(
      [...people, member(6, '製品 一郎')],
      [...departments, { departmentCd: '3', displayName: 'Member Support', memberIds: [6] }],
    );
    expect(shown(foundIn(smiths, '製品'))).toEqual([
      [undefined, '製品 一郎'],
      ['製品開発部', '安部 翔', '佐藤 美咲'],
    ]);
    expect(shown(foundIn(smiths, 'member')).slice(0, 2)).toEqual([
      ['Member Support', '製品 一郎'],
      [undefined, '山田 葵', '安部 翔', '佐藤 美咲', 'Smith', '林'],
    ]);
  });

  it('[R2.7.2] foundIn finds a department by name although it has no direct members', () => {
    const nobodyItself = [{ ...departments[0], departmentCd: '1', displayName: '開発本部', memberIds: [] }];
    expect(shown(foundIn(memberSections(people, nobodyItself), '開発本部'))).toEqual([['開発本部']]);
  });
});
