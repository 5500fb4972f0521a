import type { Reader } from '../database/index.ts';
import { users } from '../identity/store.ts';
import { groupMembers, subgroups, userGroups } from './store.ts';
import { systemGroup } from './systemGroups.ts';

export const directSubgroups = (reader: Reader, id: number): readonly number[] =>
  systemGroup(id)?.subgroups ?? subgroups.of(reader, id);

/** The group and all groups below it. At most one look-up per group. */
export function groupsWithin(reader: Reader, id: number): readonly number[] {
  const found = new Set([id]);
  // A set visits what is added while it is visited.
  for (const each of found) for (const below of directSubgroups(reader, each)) found.add(below);
  return [...found].filter((each) => systemGroup(each) || userGroups.byId(reader, each)?.deactivated === 0 || each === id);
}

/** The active users in these groups, ascending. */
export function activeMembers(reader: Reader, ids: readonly number[]): number[] {
  const ranks = ids.flatMap((id) => systemGroup(id)?.role ?? []);
  const ranked = ranks.length === 0 ? [] : users.activeWithRoles(reader, ranks);
  return [...new Set([...groupMembers.activeOf(reader, ids), ...ranked])].toSorted((one, other) => one - other);
}
