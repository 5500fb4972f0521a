/** The department tree as the rows that are visible, and where each key of the WAI-ARIA tree leads. */
import { fold } from '@engawa/folding';
import type { DepartmentNode } from '@engawa/protocol/product';
import { matches } from '../i18n/matches.ts';

export interface TreeRow {
  readonly node: DepartmentNode;
  /** From 1. */
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

/** The departments whose name matches, with what is above them. */
export function filterTree(nodes: readonly DepartmentNode[], query: string): DepartmentNode[] {
  return nodes.flatMap((node) => {
    const children = filterTree(node.children ?? [], query);
    return children.length > 0 || matches(query, node.displayName) ? [{ ...node, children }] : [];
  });
}

/** The streams of a department and of those below it, each once: two departments may be bound to one stream. */
export function streamsInside(node: DepartmentNode, streamOf: (node: DepartmentNode) => number | undefined): readonly number[] {
  const below = (node.children ?? []).flatMap((child) => streamsInside(child, streamOf));
  const own = streamOf(node);
  return [...new Set(own === undefined ? below : [own, ...below])];
}

export type Move =
  | { readonly kind: 'focus'; readonly code: string }
  | { readonly kind: 'fold' | 'unfold'; readonly code: string };

export function moveOn(key: string, rows: readonly TreeRow[], code: string): Move | undefined {
  const index = rows.findIndex(({ node }) => node.departmentCd === code);
  const row = rows[index];
  if (!row) return undefined;
  const focus = (target: TreeRow | undefined): Move | undefined => target && { kind: 'focus', code: target.node.departmentCd };

  switch (key) {
    case 'ArrowDown':
      return focus(rows[index + 1]);
    case 'ArrowUp':
      return focus(rows[index - 1]);
    case 'Home':
      return focus(rows[0]);
    case 'End':
      return focus(rows.at(-1));
    case 'ArrowRight':
      return row.expanded === false ? { kind: 'unfold', code } : focus(row.expanded ? rows[index + 1] : undefined);
    case 'ArrowLeft':
      if (row.expanded) return { kind: 'fold', code };
      return row.parent === undefined ? undefined : { kind: 'focus', code: row.parent };
    default:
      return undefined;
  }
}

/** The next row, going round, whose name begins with what was typed. */
export function typeAhead(typed: string, rows: readonly TreeRow[], code: string): string | undefined {
  const index = rows.findIndex(({ node }) => node.departmentCd === code);
  // One letter goes on to the next; more letters may still mean the row that they have reached.
  const from = typed.length > 1 ? index : index + 1;
  const wanted = fold(typed);
  const inTurn = [...rows.slice(from), ...rows.slice(0, from)].map(({ node }) => node);
  return inTurn.find(({ displayName }) => fold(displayName).startsWith(wanted))?.departmentCd;
}
