import type { DepartmentNode } from './product.ts';

export interface DepartmentGroup {
  readonly name: string;
  readonly department: DepartmentNode;
}

/**
 * The departments that can be mentioned as `@*name*`, in tree order. A name that is not unique gets its parent's name or its
 * code in brackets. Names with `*` or a line break are left out, because they would end the mention.
 */
export function departmentGroups(tree: readonly DepartmentNode[]): DepartmentGroup[] {
  const departments = tree.flatMap((node) => withParents(node, ''));
  const nameCounts = countBy(departments, ({ node }) => node.displayName);
  const longerCounts = countBy(departments, nameWithParent);
  // Every department can fall back to its name with the code, so no other department may have that as its name.
  const reserved = new Set(departments.map(nameWithCode));
  return departments.flatMap((department) => {
    const [own, longer] = [department.node.displayName, nameWithParent(department)];
    const isOwn = nameCounts.get(own) === 1 && !reserved.has(own);
    const isLonger = longerCounts.get(longer) === 1 && !nameCounts.has(longer) && !reserved.has(longer);
    const name = isOwn ? own : isLonger ? longer : nameWithCode(department);
    return /[*\n]/.test(name) || name.trim() === '' ? [] : [{ name, department: department.node }];
  });
}

export function departmentsWithin(node: DepartmentNode): DepartmentNode[] {
  return [node, ...(node.children ?? []).flatMap(departmentsWithin)];
}

interface DepartmentWithParent {
  readonly node: DepartmentNode;
  readonly parent: string;
}

function withParents(node: DepartmentNode, parent: string): DepartmentWithParent[] {
  const below = (node.children ?? []).flatMap((child) => withParents(child, node.displayName));
  return [{ node, parent }, ...below];
}

const nameWithParent = ({ node, parent }: DepartmentWithParent): string => `${node.displayName}（${parent}）`;
const nameWithCode = ({ node }: DepartmentWithParent): string => `${node.displayName}（${node.departmentCd}）`;

function countBy(
  departments: readonly DepartmentWithParent[],
  nameOf: (department: DepartmentWithParent) => string,
): ReadonlyMap<string, number> {
  return new Map([...Map.groupBy(departments, nameOf)].map(([name, group]) => [name, group.length]));
}
