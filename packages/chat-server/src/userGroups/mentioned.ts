import type { Reader } from '../database/index.ts';
import { isGuest } from '../identity/member.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import { activeMembers, groupsWithin } from './contents.ts';
import { groupNameKey } from './name.ts';
import { type UserGroupRow, userGroups } from './store.ts';
import { seesGroup } from './view.ts';

/** The active users in the groups with these names that members made and that exist for the author, including subgroups. */
export function membersOfNamed(reader: Reader, author: Viewer, names: readonly string[]): number[] {
  const made = userGroups.activeNamed(reader, names.map(groupNameKey)).filter(({ code }) => code === null);
  const seen = made.filter((group) => seesGroup(reader, author, group));
  return activeMembers(reader, [...new Set(seen.flatMap(({ id }) => groupsWithin(reader, id)))]);
}

/** Guests get no group, so that one text of a message serves all of them. */
export function groupShownAs(reader: Reader, viewer: Pick<Viewer, 'role'>, name: string): UserGroupRow | undefined {
  return isGuest(viewer) ? undefined : userGroups.activeNamed(reader, [groupNameKey(name)])[0];
}
