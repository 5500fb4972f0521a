import { expect, it } from 'vitest';
import type { DepartmentNode } from '@engawa/protocol/product';
import { filterTree, moveOn, streamsInside, typeAhead, visibleRows } from './treeRows.ts';

const tree: DepartmentNode[] = [
  {
    departmentCd: '1',
    displayName: '株式会社 縁側',
    children: [
      { departmentCd: '11', displayName: '開発本部', children: [{ departmentCd: '111', displayName: 'デザイン室' }] },
      { departmentCd: '12', displayName: '総務部' },
    ],
  },
];
const rows = visibleRows(tree, new Set());
const streamOf = ({ departmentCd }: DepartmentNode) => ({ 11: 5, 111: 6, 12: 5 })[departmentCd];
const codes = (of: readonly { node: DepartmentNode }[]) => of.map(({ node }) => node.departmentCd);

it('[R2.4] shows every department, parents before children', () => {
  expect(codes(rows)).toEqual(['1', '11', '111', '12']);
  expect(rows[2]).toMatchObject({ level: 3, position: 1, siblings: 1, parent: '11', expanded: undefined });
});

it('[R2.4] hides what is under a folded department', () => {
  expect(codes(visibleRows(tree, new Set(['11'])))).toEqual(['1', '11', '12']);
});

it('[R2.6] knows the streams inside a department, each once', () => {
  expect(tree.map((node) => streamsInside(node, streamOf))).toEqual([[5, 6]]);
  expect(streamsInside({ departmentCd: '12', displayName: '総務部' }, streamOf)).toEqual([5]);
  expect(streamsInside({ departmentCd: '13', displayName: '広報室' }, streamOf)).toEqual([]);
});

it('[R2.4] moves by the keys of a tree', () => {
  expect(moveOn('ArrowDown', rows, '1')).toEqual({ kind: 'focus', code: '11' });
  expect(moveOn('ArrowUp', rows, '1')).toBeUndefined();
  expect(moveOn('End', rows, '1')).toEqual({ kind: 'focus', code: '12' });
  expect(moveOn('ArrowLeft', rows, '11')).toEqual({ kind: 'fold', code: '11' });
  expect(moveOn('ArrowLeft', rows, '111')).toEqual({ kind: 'focus', code: '11' });
  expect(moveOn('ArrowRight', visibleRows(tree, new Set(['11'])), '11')).toEqual({ kind: 'unfold', code: '11' });
  expect(moveOn('ArrowRight', rows, '11')).toEqual({ kind: 'focus', code: '111' });
});

it('[R2.4] finds the next department by the letters typed, whatever kana', () => {
  expect(typeAhead('で', rows, '1')).toBe('111');
  expect(typeAhead('開', rows, '111')).toBe('11');
  expect(typeAhead('x', rows, '1')).toBeUndefined();
});

it('[R2.4] filters by name and keeps what is above a hit', () => {
  expect(codes(visibleRows(filterTree(tree, 'でざいん'), new Set()))).toEqual(['1', '11', '111']);
  expect(filterTree(tree, 'ない')).toEqual([]);
});
