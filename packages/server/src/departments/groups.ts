import type { Groups } from '@engawa/chat-server';
import type { Database } from '@engawa/chat-server/database';
import { departmentGroups, departmentsWithin } from '@engawa/protocol/product';
import { departments } from './store.ts';
import { departmentTree } from './tree.ts';

/** Finds the members that a mention of a department notifies, including those of departments below. */
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
    audienceGroupsOf: (userId) => new Set(departments.around(database.reader, userId)),
    isAudienceGroup: (code) => departments.find(database.reader, code) !== undefined,
  };
}
