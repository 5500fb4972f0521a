import type { FormerName, User } from '@engawa/protocol';
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

export function selectMentionedGroup({ departments, memberId }: PeopleState, name: string): Mentioned | undefined {
  const members = departments && membersByGroup(departments).get(name);
  return members && mentionViews(`group:${name}`)(name, undefined, memberId !== undefined && members.has(memberId));
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
