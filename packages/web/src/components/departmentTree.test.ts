import { expect, it } from 'vitest';
import type { DepartmentNode } from '@engawa/protocol/product';
import { filterTree, treeMoveOf, streamsInside, visibleRows } from './departmentTree.ts';
import { typeAhead } from './typeAhead.ts';

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

it('[R2.4] visibleRows lists every department, each parent before its children', () => {
  expect(codes(rows)).toEqual(['1', '11', '111', '12']);
  expect(rows[2]).toMatchObject({ level: 3, position: 1, siblings: 1, parent: '11', expanded: undefined });
});

it('[R2.4] visibleRows leaves out the descendants of a folded department', () => {
  expect(codes(visibleRows(tree, new Set(['11'])))).toEqual(['1', '11', '12']);
});

it('[R2.6] streamsInside returns the streams of a department and its descendants without duplicates', () => {
  expect(tree.map((node) => streamsInside(node, streamOf))).toEqual([[5, 6]]);
  expect(streamsInside({ departmentCd: '12', displayName: '総務部' }, streamOf)).toEqual([5]);
  expect(streamsInside({ departmentCd: '13', displayName: '広報室' }, streamOf)).toEqual([]);
});

it('[R2.4] treeMoveOf returns the focus or fold that the WAI-ARIA tree pattern assigns to each key', () => {
  expect(treeMoveOf('ArrowDown', rows, '1')).toEqual({ kind: 'focus', code: '11' });
  expect(treeMoveOf('ArrowUp', rows, '1')).toBeUndefined();
  expect(treeMoveOf('End', rows, '1')).toEqual({ kind: 'focus', code: '12' });
  expect(treeMoveOf('ArrowLeft', rows, '11')).toEqual({ kind: 'toggle', code: '11' });
  expect(treeMoveOf('ArrowLeft', rows, '111')).toEqual({ kind: 'focus', code: '11' });
  expect(treeMoveOf('ArrowRight', visibleRows(tree, new Set(['11'])), '11')).toEqual({ kind: 'toggle', code: '11' });
  expect(treeMoveOf('ArrowRight', rows, '11')).toEqual({ kind: 'focus', code: '111' });
});

it('[R2.4] typeAhead finds the next department that begins with the typed letters, in hiragana or katakana', () => {
  expect(typeAhead('で', rows, '1')).toBe('111');
  expect(typeAhead('開', rows, '111')).toBe('11');
  expect(typeAhead('x', rows, '1')).toBeUndefined();
});

it('[R2.4] filterTree keeps the departments whose name matches, with their ancestors', () => {
  expect(
    codes(
      visibleRows(
        filterTree(tree, (name) => name === 'デザイン室'),
        new Set(),
      ),
    ),
  ).toEqual(['1', '11', '111']);
  expect(filterTree(tree, () => false)).toEqual([]);
});
