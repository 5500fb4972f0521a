import { expect, it } from 'vitest';
import { departmentGroups, departmentsWithin } from './departmentGroups.ts';

const leaf = (departmentCd: string, displayName: string) => ({ departmentCd, displayName });
const names = (nodes: Parameters<typeof departmentGroups>[0]) => departmentGroups(nodes).map(({ name }) => name);
const tree = [
  {
    ...leaf('0', '縁側'),
    children: [
      { ...leaf('1', '東京支社'), children: [leaf('1-1', '総務部'), leaf('1-2', '営業部')] },
      { ...leaf('2', '大阪支社'), children: [leaf('2-1', '総務部'), leaf('2-2', '開発部'), leaf('2-3', '開発部')] },
    ],
  },
];

it('[I5.5] departmentGroups adds the parent’s name or the code to department names that are not unique', () => {
  expect(departmentGroups(tree).map(({ name, department }) => [department.departmentCd, name])).toEqual([
    ['0', '縁側'],
    ['1', '東京支社'],
    ['1-1', '総務部（東京支社）'],
    ['1-2', '営業部'],
    ['2', '大阪支社'],
    ['2-1', '総務部（大阪支社）'],
    ['2-2', '開発部（2-2）'],
    ['2-3', '開発部（2-3）'],
  ]);
});

it('[I5.5] departmentGroups returns each name only once, and leaves out names that cannot stand in a mention', () => {
  const taken = names([...tree, leaf('3', '総務部（東京支社）')]);
  expect(new Set(taken).size).toBe(taken.length);
  const byCode = names([...tree, leaf('4', '開発部（2-2）'), { ...leaf('5', '2-3'), children: [leaf('6', '開発部')] }]);
  expect(new Set(byCode).size).toBe(byCode.length);
  expect(names([leaf('1', '第*部'), leaf('2', ' '), leaf('3', '二\n行')])).toEqual([]);
});

it('[I5.5] departmentsWithin lists a department with all its descendants', () => {
  expect(tree.flatMap(departmentsWithin).map(({ departmentCd }) => departmentCd)).toHaveLength(8);
});
