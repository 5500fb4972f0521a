import type { DepartmentNode } from './product.ts';

/** A department as a message calls it: `@*name*`. */
export interface DepartmentGroup {
  /** Unique among them. */
  readonly name: string;
  readonly department: DepartmentNode;
}

/**
 * The departments that can be called, in the order of the tree. One whose name others have too is told apart by the
 * department above it, or else by its code. What would end the mention's own signs cannot be in a name.
 */
export function departmentGroups(tree: readonly DepartmentNode[]): DepartmentGroup[] {
  const placed = tree.flatMap((node) => withParents(node, ''));
  const plain = uses(placed, ({ node }) => node.displayName);
  const apart = uses(placed, nameWithParent);
  // The last resort of each is nobody else's name.
  const kept = new Set(placed.map(nameWithCode));
  return placed.flatMap((place) => {
    const [own, longer] = [place.node.displayName, nameWithParent(place)];
    const isOwn = plain.get(own) === 1 && !kept.has(own);
    const isLonger = apart.get(longer) === 1 && !plain.has(longer) && !kept.has(longer);
    const name = isOwn ? own : isLonger ? longer : nameWithCode(place);
    return /[*\n]/.test(name) || name.trim() === '' ? [] : [{ name, department: place.node }];
  });
}

/** A department and all below it. */
export function departmentsWithin(node: DepartmentNode): DepartmentNode[] {
  return [node, ...(node.children ?? []).flatMap(departmentsWithin)];
}

interface Placed {
  readonly node: DepartmentNode;
  /** The name of the department above it. */
  readonly parent: string;
}

function withParents(node: DepartmentNode, parent: string): Placed[] {
  const below = (node.children ?? []).flatMap((child) => withParents(child, node.displayName));
  return [{ node, parent }, ...below];
}

const nameWithParent = ({ node, parent }: Placed): string => `${node.displayName}（${parent}）`;
const nameWithCode = ({ node }: Placed): string => `${node.displayName}（${node.departmentCd}）`;

function uses(placed: readonly Placed[], nameOf: (place: Placed) => string): ReadonlyMap<string, number> {
  const counted = Map.groupBy(placed, nameOf);
  return new Map([...counted].map(([name, those]) => [name, those.length]));
}
