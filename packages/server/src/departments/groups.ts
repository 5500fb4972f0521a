import type { Groups } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import { departmentGroups, departmentsWithin } from '@engawa/protocol/product';
import { departments } from './store.ts';
import { departmentTree } from './tree.ts';

/**
 * Departments as the groups that a message can call: a department is its members and those of all below it. Work
 * grows with the departments, not with their members beyond those who are asked for.
 */
export function groupsOfDepartments(database: Database): Groups {
  return {
    members: (names, most) =>
      database.snapshot((reader) => {
        const tree = departmentTree(departments.all(reader), []);
        const called = departmentGroups(tree).filter(({ name }) => names.includes(name));
        const within = called.flatMap(({ department }) => departmentsWithin(department));
        const codes = new Set(within.map(({ departmentCd }) => departmentCd));
        return departments.membersOf(reader, [...codes], most);
      }),
    departmentsOf: (userId) => new Set(departments.around(database.reader, userId)),
    isDepartment: (code) => departments.exists(database.reader, code),
  };
}
