import { type UserGroup, administratorsGroup, systemGroups } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { WrittenField } from '../http/router.ts';
import { type Ranked, isGuest } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import { activeMembers } from './contents.ts';
import { type UserGroupRow, groupMembers, subgroups, userGroups } from './store.ts';
import { type SystemGroup, allSystemGroups } from './systemGroups.ts';

interface Contents {
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
}

/**
 * THE rule of what a guest sees of groups: the groups that they are a direct member of, and of their members only themselves; and
 * the names of the system groups. Everyone else sees all of all groups.
 */
export function seesGroup(reader: Reader, viewer: Viewer, { id }: Pick<UserGroupRow, 'id'>): boolean {
  return !isGuest(viewer) || groupMembers.isIn(reader, id, viewer.id) !== undefined;
}

export function groupViewFor(reader: Reader, viewer: Viewer, row: UserGroupRow): UserGroup {
  if (isGuest(viewer)) return groupView({ ...row, creator_id: null }, { members: [viewer.id], subgroups: [] });
  return groupView(row, { members: activeMembers(reader, [row.id]), subgroups: subgroups.of(reader, row.id) });
}

const nobody = { members: [], subgroups: [] };

export function groupViewsFor(reader: Reader, viewer: Viewer, withDeactivated: boolean): UserGroup[] {
  const shown = userGroups
    .all(reader)
    .filter((row) => (withDeactivated || row.deactivated === 0) && seesGroup(reader, viewer, row));
  if (isGuest(viewer)) {
    const own = (role: number | undefined) => ({ members: role === viewer.role ? [viewer.id] : [], subgroups: [] });
    return [
      ...allSystemGroups.map((group) => systemView(group, own(group.role))),
      ...shown.map((row) => groupViewFor(reader, viewer, row)),
    ];
  }
  const byRole = Map.groupBy(users.activeRoles(reader), ({ role }) => role);
  const withRole = (role: number | undefined) => (role === undefined ? [] : (byRole.get(role) ?? [])).map(({ id }) => id);
  const membersOf = Map.groupBy(groupMembers.allActive(reader), ({ group_id }) => group_id);
  const subgroupsOf = Map.groupBy(subgroups.all(reader), ({ group_id }) => group_id);
  return [
    ...allSystemGroups.map((group) => systemView(group, { members: withRole(group.role), subgroups: group.subgroups })),
    ...shown.map((row) =>
      groupView(row, {
        members: (membersOf.get(row.id) ?? []).map(({ user_id }) => user_id),
        subgroups: (subgroupsOf.get(row.id) ?? []).map(({ subgroup_id }) => subgroup_id),
      }),
    ),
  ];
}

function systemView({ id, name, description }: SystemGroup, contents: Contents = nobody): UserGroup {
  return {
    id,
    name,
    description,
    is_system_group: true,
    creator_id: null,
    date_created: null,
    deactivated: false,
    ...contentsView(contents),
    ...fixedSettings,
    can_leave_group: systemGroups.nobody,
    can_mention_group: systemGroups.nobody,
  };
}

const fixedSettings = {
  can_add_members_group: systemGroups.nobody,
  can_join_group: systemGroups.nobody,
  can_manage_group: systemGroups.nobody,
  can_remove_members_group: systemGroups.nobody,
};

function groupView(row: UserGroupRow, contents: Contents): UserGroup {
  const { id, name, description, code, creator_id, created, deactivated } = row;
  const manage =
    creator_id === null ? administratorsGroup : { direct_members: [creator_id], direct_subgroups: [administratorsGroup] };
  const settings =
    code === null ? { can_add_members_group: manage, can_manage_group: manage, can_remove_members_group: manage } : fixedSettings;
  return {
    id,
    name,
    description,
    is_system_group: false,
    creator_id,
    date_created: created,
    deactivated: deactivated === 1,
    ...contentsView(contents),
    ...settings,
    can_join_group: systemGroups.nobody,
    can_leave_group: code === null ? systemGroups.everyone : systemGroups.nobody,
    can_mention_group: systemGroups.everyone,
    ...(code === null ? {} : { department_code: code }),
  };
}

function contentsView({ members, subgroups: below }: Contents) {
  return { members: [...members], direct_subgroup_ids: [...below] };
}

/** The groups in the answer of register. They are serialised once for all members except guests. */
export class GroupLists {
  #shared: { readonly version: string; readonly field: WrittenField } | undefined;

  seenBy(reader: Reader, viewer: Viewer & Ranked, withDeactivated: boolean): UserGroup[] | WrittenField {
    if (isGuest(viewer)) return groupViewsFor(reader, viewer, withDeactivated);
    const version = `${users.version(reader)} ${userGroups.version(reader)} ${withDeactivated}`;
    if (this.#shared?.version !== version) {
      const field = new WrittenField([Buffer.from(JSON.stringify(groupViewsFor(reader, viewer, withDeactivated)))]);
      this.#shared = { version, field };
    }
    return this.#shared.field;
  }
}
