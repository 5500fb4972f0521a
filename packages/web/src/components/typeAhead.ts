import { fold } from '@engawa/folding';
import type { TreeRow } from './departmentTree.ts';

/** The next department that begins with the typed letters. */
export function typeAhead(typed: string, rows: readonly TreeRow[], code: string): string | undefined {
  const index = rows.findIndex(({ node }) => node.departmentCd === code);
  // A single letter moves on to the next match. Further letters may still match the current row.
  const from = typed.length > 1 ? index : index + 1;
  const wanted = fold(typed);
  const inTurn = [...rows.slice(from), ...rows.slice(0, from)].map(({ node }) => node);
  return inTurn.find(({ displayName }) => fold(displayName).startsWith(wanted))?.departmentCd;
}
