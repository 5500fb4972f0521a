import type { Bindings } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { type DepartmentNode, departmentsWithin } from '@engawa/protocol/product';
import { departments } from './store.ts';
import { departmentTree } from './tree.ts';

/** A department's stream is for its members and those of departments below. Each call reads all departments. */
export function bindingsOfDepartments(database: Database): Bindings {
  return {
    isBound: (streamId) => departments.boundTo(database.reader, streamId) !== undefined,
    belonging: (streamId, userIds) =>
      database.snapshot((reader) => {
        const bound = nodesOfStream(departmentTree(departments.all(reader), []), streamId);
        const codes = bound.flatMap(departmentsWithin).map(({ departmentCd }) => departmentCd);
        return codes.length === 0 ? [] : departments.membersAmong(reader, codes, userIds);
      }),
  };
}

function nodesOfStream(nodes: readonly DepartmentNode[], streamId: number): DepartmentNode[] {
  return nodes.flatMap((node) => [
    ...(node.streamId === streamId ? [node] : []),
    ...nodesOfStream(node.children ?? [], streamId),
  ]);
}
