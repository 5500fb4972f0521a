import type { DepartmentNode } from '@engawa/protocol/product';
import type { DepartmentMemberRow, DepartmentRow } from './store.ts';

interface Rows {
  readonly byParent: ReadonlyMap<string | null, readonly DepartmentRow[]>;
  readonly membersByCode: ReadonlyMap<string, readonly DepartmentMemberRow[]>;
}

export function departmentTree(departments: readonly DepartmentRow[], members: readonly DepartmentMemberRow[]): DepartmentNode[] {
  return nodesBelow(null, {
    byParent: Map.groupBy(departments, ({ parent }) => parent),
    membersByCode: Map.groupBy(members, ({ department_cd }) => department_cd),
  });
}

function nodesBelow(parent: string | null, rows: Rows): DepartmentNode[] {
  const departments = rows.byParent.get(parent) ?? [];
  return departments.map(({ department_cd: departmentCd, display_name: displayName, stream_id }) => {
    const children = nodesBelow(departmentCd, rows);
    return {
      departmentCd,
      displayName,
      ...(stream_id === null ? {} : { streamId: stream_id }),
      memberIds: (rows.membersByCode.get(departmentCd) ?? []).map(({ user_id }) => user_id),
      ...(children.length === 0 ? {} : { children }),
    };
  });
}
