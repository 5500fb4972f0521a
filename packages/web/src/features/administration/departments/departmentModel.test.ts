import { describe, expect, it } from 'vitest';
import type { DepartmentNode } from '@engawa/protocol/product';
import {
  codesOf,
  find,
  headCount,
  isTaken,
  located,
  mayStand,
  moved,
  positionAt,
  stepped,
  streamChanges,
  withPosts,
  type DepartmentPlace,
  type Step,
} from './departmentModel.ts';

const node = (departmentCd: string, memberIds: number[] = [], children?: DepartmentNode[]): DepartmentNode => ({
  departmentCd,
  displayName: `部署${departmentCd}`,
  memberIds,
  ...(children && { children }),
});

/** 会社: 営業 (東, 西), 開発 (設計 (画面)). 監査 is its sibling. */
const tree = [
  node(
    '会社',
    [1],
    [node('営業', [2], [node('東', [3]), node('西', [4, 2])]), node('開発', [5], [node('設計', [6], [node('画面', [7, 3])])])],
  ),
  node('監査', [8]),
];
const levels = 10;
const shape = (nodes: readonly DepartmentNode[]): unknown[] =>
  nodes.map(({ departmentCd, children }) => (children?.length ? [departmentCd, shape(children)] : departmentCd));
const step = (code: string, how: Step) => stepped(tree, code, how, { folded: new Set(), mostLevels: levels });
const at = (code: string, target: string, spot: 'before' | 'after' | 'inside', isOpen = true) =>
  positionAt(tree, code, { code: target, spot, isOpen }, levels);
const after = (code: string, place: DepartmentPlace) => moved(tree, code, place, levels) ?? [];

describe('the tree of departments', () => {
  it('[I7.2] located returns each department with its position among its siblings and its path from the top department', () => {
    expect(located(tree).map((each) => each.node.departmentCd)).toEqual([
      '会社',
      '営業',
      '東',
      '西',
      '開発',
      '設計',
      '画面',
      '監査',
    ]);
    expect(find(tree, '設計')?.place).toEqual({ parent: '開発', position: 0 });
    expect(find(tree, '画面')?.path.map(({ departmentCd }) => departmentCd)).toEqual(['会社', '開発', '設計', '画面']);
    expect(find(tree, '監査')?.place).toEqual({ parent: null, position: 1 });
  });

  it('[I7.2] A moved department keeps its descendants', () => {
    expect(shape(after('設計', { parent: '営業', position: 1 }))).toEqual([
      ['会社', [['営業', ['東', ['設計', ['画面']], '西']], '開発']],
      '監査',
    ]);
  });

  it('[I7.2] The new position of a moved department counts only its siblings', () => {
    expect(shape(after('東', { parent: '営業', position: 1 }))).toEqual([
      [
        '会社',
        [
          ['営業', ['西', '東']],
          ['開発', [['設計', ['画面']]]],
        ],
      ],
      '監査',
    ]);
    expect(shape(after('監査', { parent: null, position: 0 }))[0]).toBe('監査');
  });

  it('[I7.2] A department cannot be moved into itself or its descendants', () => {
    expect(moved(tree, '開発', { parent: '画面', position: 0 }, levels)).toBeUndefined();
    expect(moved(tree, '開発', { parent: '開発', position: 0 }, levels)).toBeUndefined();
  });

  it('[I7.2] A department cannot be moved where its descendants would exceed the limit of levels', () => {
    const design = find(tree, '設計')?.node ?? node('');
    expect(mayStand(tree, design, '東', 5)).toBe(true);
    expect(mayStand(tree, design, '東', 4)).toBe(false);
  });

  it('[I7.2] A department name is taken if a sibling has the same name in another width or case', () => {
    expect(isTaken(tree, '会社', ' 部署営業 ')).toBe(true);
    expect(isTaken(tree, '会社', '部署営業', '営業')).toBe(false);
    expect(isTaken(tree, null, '部署営業')).toBe(false);
  });
});

describe('moving a department by keyboard', () => {
  it('[I7.2] The down arrow moves a grabbed department through every visible position in order', () => {
    const passed: unknown[] = [];
    let now = moved(tree, '監査', { parent: null, position: 0 }, levels) ?? [];
    for (let place: DepartmentPlace | undefined = find(now, '監査')?.place; place;) {
      passed.push(place);
      now = moved(now, '監査', place, levels) ?? [];
      place = stepped(now, '監査', 'later', { folded: new Set(['開発']), mostLevels: levels });
    }
    expect(passed).toEqual([
      { parent: null, position: 0 },
      { parent: '会社', position: 0 },
      { parent: '営業', position: 0 },
      { parent: '東', position: 0 },
      { parent: '営業', position: 1 },
      { parent: '西', position: 0 },
      { parent: '営業', position: 2 },
      { parent: '会社', position: 1 },
      { parent: '会社', position: 2 },
      { parent: null, position: 1 },
    ]);
  });

  it('[I7.2] The up arrow moves a grabbed department through the positions in reverse order', () => {
    expect(step('開発', 'earlier')).toEqual({ parent: '営業', position: 2 });
    expect(step('会社', 'earlier')).toBeUndefined();
  });

  it('[I7.2] The left arrow moves a grabbed department after its parent, and the right arrow into its previous sibling', () => {
    expect(step('設計', 'outwards')).toEqual({ parent: '会社', position: 2 });
    expect(step('西', 'inwards')).toEqual({ parent: '東', position: 0 });
    expect(step('監査', 'inwards')).toEqual({ parent: '会社', position: 2 });
    expect(step('東', 'inwards')).toBeUndefined();
    expect(step('監査', 'outwards')).toBeUndefined();
  });
});

describe('dropping a department on another', () => {
  it('[I7.2] A dropped department moves before the target, to the end of its children, or after it, depending on the drop point', () => {
    expect(at('監査', '東', 'before')).toEqual({ parent: '営業', position: 0 });
    expect(at('監査', '営業', 'inside')).toEqual({ parent: '営業', position: 2 });
    expect(at('監査', '西', 'after')).toEqual({ parent: '営業', position: 2 });
  });

  it('[I7.2] A department dropped on the lower edge becomes the first child of an open target, or follows a folded one', () => {
    expect(at('監査', '営業', 'after')).toEqual({ parent: '営業', position: 0 });
    expect(at('監査', '営業', 'after', false)).toEqual({ parent: '会社', position: 1 });
  });

  it('[I7.2] A department cannot be dropped on itself or on its descendants', () => {
    expect(at('開発', '開発', 'before')).toBeUndefined();
    expect(at('開発', '画面', 'inside')).toBeUndefined();
  });
});

describe('the stream changes of an edit', () => {
  it('[I7.2] The members of a moved department leave the streams of its old ancestors and join those of the new ones', () => {
    const changes = streamChanges(tree, after('設計', { parent: '営業', position: 0 }));
    expect(changes).toEqual([
      // Member 3 belongs to 営業 already through 東.
      { code: '営業', name: '部署営業', joins: [6, 7], leaves: [] },
      { code: '開発', name: '部署開発', joins: [], leaves: [6, 7, 3] },
    ]);
  });

  it('[I7.2] A new order of sibling departments changes no stream', () => {
    expect(streamChanges(tree, after('西', { parent: '営業', position: 0 }))).toEqual([]);
  });

  it('[I7.2] A transferred member leaves and joins streams of departments, and stays in the streams of their further posts', () => {
    expect(codesOf(tree, 3)).toEqual(['東', '画面']);
    const changes = streamChanges(tree, withPosts(tree, 3, ['画面', '西']));
    expect(changes.map(({ code, joins, leaves }) => [code, joins, leaves])).toEqual([
      ['東', [], [3]],
      ['西', [3], []],
    ]);
  });

  it('[I7.2] headCount counts a member with several posts in a department only once', () => {
    expect(tree.map(headCount)).toEqual([7, 1]);
  });
});
