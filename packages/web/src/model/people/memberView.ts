import type { User } from '@engawa/protocol';
import { departmentsWithin, type DepartmentNode } from '@engawa/protocol/product';
import { memoise, perKey } from '../memoise.ts';
import { personOf, type Person } from './selectors.ts';
import type { PeopleState } from './state.ts';

/** A member as the card shows them; also a deactivated one. */
export interface MemberView extends Person {
  readonly isActive: boolean;
  /** A name of the IANA time zone database; empty if the member never set a zone. */
  readonly timezone: string;
  readonly departments: readonly MemberDepartment[];
}

export interface MemberDepartment {
  readonly department: DepartmentNode;
  /** Whether this is a further post, not the main department. */
  readonly isConcurrent: boolean;
}

const memberViews = perKey<number, typeof memberView>(() => memoise(memberView));

export function selectMember({ users, directory, departments }: PeopleState, userId: number): MemberView | undefined {
  const user = users.get(userId);
  return user && memberViews(userId)(user, directory, departments);
}

function memberView(user: User, directory: PeopleState['directory'], departments: PeopleState['departments']): MemberView {
  return {
    ...personOf(user, directory),
    isActive: user.is_active !== false,
    timezone: user.timezone,
    departments: departmentsOf(user.user_id, departments ?? [], directory.get(user.user_id)?.departments),
  };
}

/** The departments in the member's own order if the directory has one, else in the order of the tree. */
function departmentsOf(
  userId: number,
  departments: readonly DepartmentNode[],
  codes: readonly string[] = [],
): readonly MemberDepartment[] {
  const own = departments.flatMap(departmentsWithin).filter(({ memberIds = [] }) => memberIds.includes(userId));
  const rank = ({ departmentCd }: DepartmentNode) => (codes.indexOf(departmentCd) + codes.length + 1) % (codes.length + 1);
  return own
    .toSorted((one, other) => rank(one) - rank(other))
    .map((department, index) => ({ department, isConcurrent: index > 0 }));
}
