import { streamNameKey, type FormerName, type User, type UserGroup } from '@engawa/protocol';
import { departmentGroups, departmentsWithin, type DepartmentNode } from '@engawa/protocol/product';
import { memoise, perKey } from '../memoise.ts';
import type { PeopleState } from './state.ts';

export interface Mentioned {
  readonly name: string;
  readonly userId: number | undefined;
  readonly isMe: boolean;
}

const mentionViews = perKey<string, (name: string, userId: number | undefined, isMe: boolean) => Mentioned>(() =>
  memoise((name, userId, isMe) => ({ name, userId, isMe })),
);

export function selectMentionedUser(
  { users, formerNames, memberId }: PeopleState,
  name: string,
  id: number | undefined,
): Mentioned | undefined {
  // The name of a mention with an id may be outdated, so it is not looked up.
  const named = id === undefined ? usersByName(users).get(nameKey(name)) : undefined;
  const formerly = users.get(id ?? idsByFormerName(formerNames).get(nameKey(name)) ?? -1);
  const meant = named ?? (formerly ? [formerly] : []);
  const [first] = meant;
  if (!first) return undefined;
  const isMe = meant.some(({ user_id }) => user_id === memberId);
  return mentionViews(`user:${id}:${name}`)(first.full_name, first.user_id, isMe);
}

export function selectMentionedGroup({ departments, groups, memberId }: PeopleState, name: string): Mentioned | undefined {
  const made = membersOfMade(groups).get(streamNameKey(name));
  const members = (departments && membersByGroup(departments).get(name)) ?? made?.members;
  const isMe = memberId !== undefined && members?.has(memberId) === true;
  return members && mentionViews(`group:${name}`)(made?.name ?? name, undefined, isMe);
}

/** The active groups that members made, with the members of their subgroups. */
export const selectMadeGroups = ({ groups }: PeopleState): readonly MadeGroup[] => madeGroups(groups);

interface MadeGroup {
  readonly id: number;
  readonly name: string;
  readonly members: ReadonlySet<number>;
}

const madeGroups = memoise((groups: ReadonlyMap<number, UserGroup>): readonly MadeGroup[] =>
  [...groups.values()]
    .filter((group) => !group.is_system_group && !group.deactivated && group.department_code === undefined)
    .map(({ id, name }) => ({ id, name, members: membersWithin(groups, id) })),
);

const membersOfMade = memoise(
  (groups: ReadonlyMap<number, UserGroup>): ReadonlyMap<string, MadeGroup> =>
    new Map(madeGroups(groups).map((group) => [streamNameKey(group.name), group])),
);

function membersWithin(groups: ReadonlyMap<number, UserGroup>, id: number): ReadonlySet<number> {
  const within = new Set([id]);
  // A set visits what is added while it is visited.
  for (const each of within) for (const below of groups.get(each)?.direct_subgroup_ids ?? []) within.add(below);
  return new Set([...within].flatMap((each) => groups.get(each)?.members ?? []));
}

/** The server ignores the case of ASCII letters only when it compares names. */
const nameKey = (name: string): string => name.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());

const usersByName = memoise((users: ReadonlyMap<number, User>): ReadonlyMap<string, readonly User[]> =>
  Map.groupBy(users.values(), ({ full_name }) => nameKey(full_name)),
);

const idsByFormerName = memoise(
  (formerNames: readonly FormerName[]): ReadonlyMap<string, number> =>
    new Map(formerNames.map(({ user_id, name }) => [nameKey(name), user_id])),
);

const membersByGroup = memoise(
  (departments: readonly DepartmentNode[]): ReadonlyMap<string, ReadonlySet<number>> =>
    new Map(
      departmentGroups(departments).map(({ name, department }) => {
        return [name, new Set(departmentsWithin(department).flatMap(({ memberIds = [] }) => memberIds))];
      }),
    ),
);
