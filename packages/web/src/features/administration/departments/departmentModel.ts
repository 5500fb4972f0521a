import { streamNameKey } from '@engawa/protocol';
import type { DepartmentNode } from '@engawa/protocol/product';

/** The place of a department: its parent (null: the top), and its index among the siblings without itself. */
export interface DepartmentPlace {
  readonly parent: string | null;
  readonly position: number;
}

export interface DepartmentMove {
  readonly code: string;
  readonly place: DepartmentPlace;
}

export interface LocatedDepartment {
  readonly node: DepartmentNode;
  readonly place: DepartmentPlace;
  readonly path: readonly DepartmentNode[];
}

type Tree = readonly DepartmentNode[];

const below = (node: DepartmentNode): Tree => node.children ?? [];
const membersOf = (node: DepartmentNode): readonly number[] => node.memberIds ?? [];

export function located(tree: Tree, parents: readonly DepartmentNode[] = []): readonly LocatedDepartment[] {
  return tree.flatMap((node, position) => {
    const path = [...parents, node];
    const place = { parent: parents.at(-1)?.departmentCd ?? null, position };
    return [{ node, place, path }, ...located(below(node), path)];
  });
}

export function departmentNames(tree: Tree): ReadonlyMap<string, string> {
  return new Map(located(tree).map(({ node }) => [node.departmentCd, node.displayName]));
}

export function find(tree: Tree, code: string): LocatedDepartment | undefined {
  return located(tree).find(({ node }) => node.departmentCd === code);
}

function without(tree: Tree, code: string): Tree {
  return tree
    .filter((node) => node.departmentCd !== code)
    .map((node) => (node.children ? { ...node, children: without(node.children, code) } : node));
}

function withInserted(tree: Tree, node: DepartmentNode, { parent, position }: DepartmentPlace): Tree {
  if (parent === null) return tree.toSpliced(position, 0, node);
  return tree.map((each) => {
    if (each.departmentCd === parent) return { ...each, children: below(each).toSpliced(position, 0, node) };
    return each.children ? { ...each, children: withInserted(each.children, node, { parent, position }) } : each;
  });
}

export function moved(tree: Tree, code: string, place: DepartmentPlace, mostLevels: number): Tree | undefined {
  const what = find(tree, code);
  if (!what || !mayStand(tree, what.node, place.parent, mostLevels)) return undefined;
  return withInserted(without(tree, code), what.node, place);
}

/** A department cannot be below itself, and the tree has at most `mostLevels` levels. */
export function mayStand(tree: Tree, node: DepartmentNode, parent: string | null, mostLevels: number): boolean {
  if (parent === null) return true;
  if (located([node]).some((inside) => inside.node.departmentCd === parent)) return false;
  const levelsAbove = find(tree, parent)?.path.length;
  return levelsAbove !== undefined && levelsAbove + levelsOf(node) <= mostLevels;
}

function levelsOf(node: DepartmentNode): number {
  return 1 + Math.max(0, ...below(node).map(levelsOf));
}

export type Step = 'earlier' | 'later' | 'outwards' | 'inwards';

/**
 * The next place of a department that is moved by an arrow key. Up and down visit all visible places, left leads to after the
 * parent, and right to the end of the previous sibling. Folded departments are skipped. Undefined if there is no such place.
 */
export function stepped(
  tree: Tree,
  code: string,
  step: Step,
  { folded, mostLevels }: { readonly folded: ReadonlySet<string>; readonly mostLevels: number },
): DepartmentPlace | undefined {
  const what = find(tree, code);
  if (!what) return undefined;
  const { place } = what;
  const rest = without(tree, code);
  if (step === 'outwards') {
    const parent = place.parent === null ? undefined : find(rest, place.parent);
    return parent && { parent: parent.place.parent, position: parent.place.position + 1 };
  }
  if (step === 'inwards') {
    const siblings = place.parent === null ? rest : below(find(rest, place.parent)?.node ?? what.node);
    const before = siblings[place.position - 1];
    if (!before || !mayStand(rest, what.node, before.departmentCd, mostLevels)) return undefined;
    return { parent: before.departmentCd, position: below(before).length };
  }
  const places = placesIn(rest, null, folded).filter(({ parent }) => mayStand(rest, what.node, parent, mostLevels));
  const at = places.findIndex((each) => isSame(each, place));
  return at < 0 ? undefined : places[step === 'later' ? at + 1 : at - 1];
}

export function isSame(one: DepartmentPlace, other: DepartmentPlace): boolean {
  return one.parent === other.parent && one.position === other.position;
}

function placesIn(siblings: Tree, parent: string | null, folded: ReadonlySet<string>): readonly DepartmentPlace[] {
  const inside = siblings.flatMap((node, position) => {
    const isFolded = below(node).length > 0 && folded.has(node.departmentCd);
    const within = isFolded ? [] : placesIn(below(node), node.departmentCd, folded);
    return [{ parent, position }, ...within];
  });
  return [...inside, { parent, position: siblings.length }];
}

export type Spot = 'before' | 'after' | 'inside';

export function positionAt(
  tree: Tree,
  code: string,
  target: { readonly code: string; readonly spot: Spot; readonly isOpen: boolean },
  mostLevels: number,
): DepartmentPlace | undefined {
  const what = find(tree, code);
  const rest = without(tree, code);
  const onto = find(rest, target.code);
  if (!what || !onto) return undefined;
  const { parent, position } = onto.place;
  const isOpen = target.isOpen && below(onto.node).length > 0;
  const places = {
    before: { parent, position },
    inside: { parent: target.code, position: below(onto.node).length },
    // The children of an open department follow its row.
    after: isOpen ? { parent: target.code, position: 0 } : { parent, position: position + 1 },
  };
  const place = places[target.spot];
  return mayStand(rest, what.node, place.parent, mostLevels) ? place : undefined;
}

/** The members of each department including its descendants. They are the members of its stream. */
function belonging(tree: Tree): ReadonlyMap<string, ReadonlySet<number>> {
  const all = new Map<string, ReadonlySet<number>>();
  const gather = (node: DepartmentNode): ReadonlySet<number> => {
    const inside = below(node).map(gather);
    const those = new Set([...membersOf(node), ...inside.flatMap((each) => [...each])]);
    all.set(node.departmentCd, those);
    return those;
  };
  tree.forEach(gather);
  return all;
}

export function headCount(node: DepartmentNode): number {
  return belonging([node]).get(node.departmentCd)?.size ?? 0;
}

export interface StreamChange {
  readonly code: string;
  readonly name: string;
  readonly joins: readonly number[];
  readonly leaves: readonly number[];
}

/** The members who join or leave the streams of departments when the tree changes. Streams without changes are left out. */
export function streamChanges(before: Tree, after: Tree): readonly StreamChange[] {
  const was = belonging(before);
  const becomes = belonging(after);
  return located(after).flatMap(({ node: { departmentCd: code, displayName: name } }) => {
    const old = was.get(code) ?? new Set<number>();
    const now = becomes.get(code) ?? new Set<number>();
    const joins = [...now.difference(old)];
    const leaves = [...old.difference(now)];
    return joins.length + leaves.length === 0 ? [] : [{ code, name, joins, leaves }];
  });
}

/** Whether another child of `parent` has the same name, ignoring width and case. */
export function isTaken(tree: Tree, parent: string | null, name: string, code?: string): boolean {
  const siblings = parent === null ? tree : below(find(tree, parent)?.node ?? { departmentCd: '', displayName: '' });
  return siblings.some((each) => each.departmentCd !== code && streamNameKey(each.displayName) === streamNameKey(name));
}

export function codesOf(tree: Tree, userId: number): readonly string[] {
  return located(tree)
    .filter(({ node }) => membersOf(node).includes(userId))
    .map(({ node }) => node.departmentCd);
}

export function withPosts(tree: Tree, userId: number, codes: readonly string[]): Tree {
  return tree.map((node) => {
    const others = membersOf(node).filter((each) => each !== userId);
    const memberIds = codes.includes(node.departmentCd) ? [...others, userId] : others;
    return { ...node, memberIds, ...(node.children && { children: withPosts(node.children, userId, codes) }) };
  });
}
