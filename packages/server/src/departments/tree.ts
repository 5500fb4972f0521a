import type { DepartmentNode } from '@engawa/protocol/product';
import type { DepartmentRow } from './store.ts';

/** The departments as a tree. Each stands below its parent, siblings in the order of the rows. */
export function departmentTree(rows: readonly DepartmentRow[]): DepartmentNode[] {
  return below(null, Map.groupBy(rows, ({ parent }) => parent));
}

type RowsByParent = ReadonlyMap<string | null, readonly DepartmentRow[]>;

function below(parent: string | null, byParent: RowsByParent): DepartmentNode[] {
  return (byParent.get(parent) ?? []).map(({ department_cd: departmentCd, display_name: displayName, stream_id }) => {
    const children = below(departmentCd, byParent);
    return {
      departmentCd,
      displayName,
      ...(stream_id === null ? {} : { streamId: stream_id }),
      ...(children.length === 0 ? {} : { children }),
    };
  });
}
