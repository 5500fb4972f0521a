import type { Groups } from '../chat/backend.ts';
import type { Database } from '@engawa/chat-server/database';
import { departmentGroups, departmentsWithin } from '@engawa/protocol/product';
import { seenDepartments } from './seen.ts';
import { departments } from './store.ts';
import { departmentTree } from './tree.ts';

/** Finds the members that a mention of a department notifies, including those of departments below. */
export function groupsOfDepartments(database: Database): Groups {
  return {
    all: () =>
      database.snapshot((reader) =>
        departmentGroups(departmentTree(departments.all(reader), departments.members(reader))).map(({ name, department }) => ({
          code: department.departmentCd,
          name,
          memberIds: department.memberIds ?? [],
          children: (department.children ?? []).map(({ departmentCd }) => departmentCd),
        })),
      ),
    members: (names, most, streams) =>
      database.snapshot((reader) => {
        const tree = departmentTree(seenDepartments(reader, streams), []);
        const called = departmentGroups(tree).filter(({ name }) => names.includes(name));
        const within = called.flatMap(({ department }) => departmentsWithin(department));
        const codes = new Set(within.map(({ departmentCd }) => departmentCd));
        return departments.membersOf(reader, [...codes], most);
      }),
    audienceGroupsOf: (userId) => new Set(departments.around(database.reader, userId)),
    isAudienceGroup: (code, streams) =>
      streams
        ? seenDepartments(database.reader, streams).some(({ department_cd }) => department_cd === code)
        : departments.find(database.reader, code) !== undefined,
  };
}
