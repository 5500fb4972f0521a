import type { DepartmentNode } from '@engawa/protocol/product';
import { stepOf } from './primitives/focus.ts';

export interface TreeRow {
  readonly node: DepartmentNode;
  /** 1 for the top. */
  readonly level: number;
  readonly position: number;
  readonly siblings: number;
  readonly parent: string | undefined;
  /** Undefined for a leaf. */
  readonly expanded: boolean | undefined;
}

export function visibleRows(nodes: readonly DepartmentNode[], folded: ReadonlySet<string>): TreeRow[] {
  const rowsOf = (siblings: readonly DepartmentNode[], level: number, parent: string | undefined): TreeRow[] =>
    siblings.flatMap((node, index) => {
      const children = node.children ?? [];
      const expanded = children.length > 0 ? !folded.has(node.departmentCd) : undefined;
      const row = { node, level, position: index + 1, siblings: siblings.length, parent, expanded };
      return [row, ...(expanded ? rowsOf(children, level + 1, node.departmentCd) : [])];
    });
  return rowsOf(nodes, 1, undefined);
}

export function filterTree(nodes: readonly DepartmentNode[], isSought: (name: string) => boolean): DepartmentNode[] {
  return nodes.flatMap((node) => {
    const children = filterTree(node.children ?? [], isSought);
    return children.length > 0 || isSought(node.displayName) ? [{ ...node, children }] : [];
  });
}

/** The streams of a department and its descendants, without duplicates: two departments may be bound to one stream. */
export function streamsInside(node: DepartmentNode, streamOf: (node: DepartmentNode) => number | undefined): readonly number[] {
  const below = (node.children ?? []).flatMap((child) => streamsInside(child, streamOf));
  const own = streamOf(node);
  return [...new Set(own === undefined ? below : [own, ...below])];
}

export type TreeMove = { readonly kind: 'focus' | 'toggle'; readonly code: string };

export function treeMoveOf(key: string, rows: readonly TreeRow[], code: string): TreeMove | undefined {
  const index = rows.findIndex(({ node }) => node.departmentCd === code);
  const row = rows[index];
  if (!row) return undefined;
  if (key === 'ArrowRight' && row.expanded === false) return { kind: 'toggle', code };
  if (key === 'ArrowRight') return focus(row.expanded ? rows[index + 1]?.node.departmentCd : undefined);
  if (key === 'ArrowLeft') return row.expanded ? { kind: 'toggle', code } : focus(row.parent);
  return focus(rows[stepOf(key, index, rows.length) ?? -1]?.node.departmentCd);
}

function focus(code: string | undefined): TreeMove | undefined {
  return code === undefined ? undefined : { kind: 'focus', code };
}
