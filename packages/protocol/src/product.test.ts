import { expect, it } from 'vitest';
import { departmentTree } from './product.ts';

const leaf = { departmentCd: 'D110', displayName: '総務課' };
const root = { departmentCd: 'D100', displayName: '総務部', streamId: 7, children: [leaf, { ...leaf, children: [leaf] }] };

function wrapped(levels: number, inner: unknown): unknown {
  return levels === 0 ? inner : { data: wrapped(levels - 1, inner) };
}

it.each([1, 2, 3])(
  '[R7.1] departmentTree reads an array of departments, or one root department, inside %i nested “data” objects',
  (levels) => {
    expect(departmentTree.parse(wrapped(levels, [root, leaf]))).toEqual([root, leaf]);
    expect(departmentTree.parse(wrapped(levels, root))).toEqual([root]);
    expect(departmentTree.parse(wrapped(levels, []))).toEqual([]);
  },
);

it('[R7.1] departmentTree ignores unknown fields', () => {
  expect(departmentTree.parse(wrapped(2, [{ ...root, manager: '田中' }]))).toEqual([root]);
  expect(departmentTree.parse({ status: 200, data: wrapped(2, [root]) })).toEqual([root]);
});

it('[R7.1] departmentTree reads memberIds as a list of ids and ignores memberIds of another type', () => {
  const staffed = { ...leaf, memberIds: [1, 2] };
  expect(departmentTree.parse(wrapped(3, [staffed]))).toEqual([staffed]);
  expect(departmentTree.parse(wrapped(3, [{ ...leaf, memberIds: 'E-0001 E-0002' }]))).toEqual([leaf]);
});

it.each([0, 4])('[R7.1] departmentTree rejects departments inside %i nested “data” objects', (levels) => {
  expect(departmentTree.safeParse(wrapped(levels, [root])).success).toBe(false);
});

it.each([
  ['a node without a name', [{ departmentCd: 'D1' }]],
  ['a node without a key', [{ displayName: '総務部' }]],
  ['a key that is a number', [{ departmentCd: 1, displayName: '総務部' }]],
  ['a malformed child', [{ ...root, children: [{ departmentCd: 'D2' }] }]],
  ['children that are no list', [{ ...root, children: leaf }]],
  ['nothing', null],
  ['a text', 'D100'],
])('departmentTree rejects this as departments: %s', (_, inner) => {
  for (const levels of [1, 2, 3]) expect(departmentTree.safeParse(wrapped(levels, inner)).success).toBe(false);
});
