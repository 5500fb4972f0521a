import * as api from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Member, isAdministrator, isGuest } from '../identity/member.ts';
import { users } from '../identity/store.ts';
import type { Viewer } from '../privacy/seenUsers.ts';
import { changeMembers, changeSubgroups } from './changes.ts';
import { activeMembers, directSubgroups, groupsWithin } from './contents.ts';
import { publishGroup } from './events.ts';
import { cleanGroupDescription, cleanGroupName, groupNameKey } from './name.ts';
import { type UserGroupRow, groupMembers, subgroups, userGroups } from './store.ts';
import { systemGroup } from './systemGroups.ts';
import { groupViewsFor, seesGroup } from './view.ts';

export function userGroupRoutes(database: Database, log: EventLog, clock: Clock): Route[] {
  return [
    memberRoute(api.getUserGroups, ({ include_deactivated_groups }, { member }) =>
      database.snapshot((reader) => ({ user_groups: groupViewsFor(reader, member, include_deactivated_groups) })),
    ),

    memberRoute(api.createUserGroup, async ({ name, description, members, subgroups: below }, { member }) => ({
      group_id: await database.write((tx) => {
        const creator = memberNow(tx, member);
        if (isGuest(creator)) throw refused.forGuests();
        // Deactivated groups count too, so without a limit for each member one could use up all.
        const own = isAdministrator(creator) ? 0 : (userGroups.countMadeBy(tx, creator.id) ?? 0);
        if (own >= api.maxUserGroupsOfMember || (userGroups.countMade(tx) ?? 0) >= api.maxUserGroups) {
          throw refused.because('Too many user groups.');
        }
        const id = userGroups.insert(tx, {
          name: freeName(tx, name),
          description: cleanGroupDescription(description),
          code: null,
          creator_id: creator.id,
          created: seconds(clock),
        });
        // The event has the group with its members.
        for (const userId of newMembers(tx, id, members)) groupMembers.insert(tx, id, userId);
        for (const subgroupId of newSubgroups(tx, id, below)) subgroups.insert(tx, id, subgroupId);
        publishGroup(tx, log, { op: 'add', group_id: id });
        return id;
      }),
    })),

    memberRoute(api.updateUserGroup, ({ user_group_id, name, description }, { member }) =>
      database.write((tx) => {
        const group = managedGroup(tx, memberNow(tx, member), user_group_id);
        if (name === undefined && description === undefined) throw refused.because('No new data supplied');
        const after = {
          name: name === undefined ? group.name : freeName(tx, name, group),
          description: description === undefined ? group.description : cleanGroupDescription(description),
        };
        const data = {
          ...(after.name === group.name ? {} : { name: after.name }),
          ...(after.description === group.description ? {} : { description: after.description }),
        };
        if (Object.keys(data).length === 0) return;
        userGroups.setTexts(tx, group.id, after.name, after.description);
        publishGroup(tx, log, { op: 'update', group_id: group.id, data });
      }),
    ),

    memberRoute(api.removeUserGroup, ({ user_group_id }, { member }) =>
      database.write((tx) => deactivate(tx, log, memberNow(tx, member), user_group_id)),
    ),

    memberRoute(api.deactivateUserGroup, ({ user_group_id }, { member }) =>
      database.write((tx) => deactivate(tx, log, memberNow(tx, member), user_group_id)),
    ),

    memberRoute(api.getUserGroupMembers, ({ user_group_id, direct_member_only }, { member }) =>
      database.snapshot((reader) => ({ members: membersFor(reader, member, user_group_id, direct_member_only) })),
    ),

    memberRoute(api.getIsUserGroupMember, ({ user_group_id, user_id, direct_member_only }, { member }) =>
      database.snapshot((reader) => {
        const members = membersFor(reader, member, user_group_id, direct_member_only);
        // A guest learns nothing of others, not even whether they exist.
        if (!isGuest(member) && !users.byId(reader, user_id)) throw refused.noSuchUser();
        return { is_user_group_member: members.includes(user_id) };
      }),
    ),

    memberRoute(api.updateUserGroupMembers, (request, { member }) =>
      database.write((tx) => {
        const { user_group_id, add, delete: remove, add_subgroups, delete_subgroups } = request;
        const actor = memberNow(tx, member);
        const isLeaving = remove.every((id) => id === actor.id) && [add, add_subgroups, delete_subgroups].every(isEmpty);
        const group = isLeaving ? leavableGroup(tx, actor, user_group_id) : managedGroup(tx, actor, user_group_id);
        if ([add, remove, add_subgroups, delete_subgroups].every(isEmpty)) throw refused.nothingToDo();
        for (const id of remove) {
          if (!groupMembers.isIn(tx, group.id, id)) throw refused.because(`There is no member '${id}' in this user group`);
        }
        changeMembers(tx, log, group.id, { removed: [...new Set(remove)] });
        changeMembers(tx, log, group.id, { added: newMembers(tx, group.id, add) });
        changeGroupsBelow(tx, log, group, add_subgroups, delete_subgroups);
      }),
    ),

    memberRoute(api.getUserGroupSubgroups, ({ user_group_id, direct_subgroup_only }, { member }) =>
      database.snapshot((reader) => {
        const id = knownId(reader, member, user_group_id);
        if (isGuest(member)) return { subgroups: [] };
        const below = direct_subgroup_only ? directSubgroups(reader, id) : groupsWithin(reader, id).filter((each) => each !== id);
        return { subgroups: below.toSorted((one, other) => one - other) };
      }),
    ),

    memberRoute(api.updateUserGroupSubgroups, ({ user_group_id, add, delete: remove }, { member }) =>
      database.write((tx) => {
        const group = managedGroup(tx, memberNow(tx, member), user_group_id);
        if ([add, remove].every(isEmpty)) throw refused.nothingToDo();
        changeGroupsBelow(tx, log, group, add, remove);
      }),
    ),
  ];
}

const isEmpty = ({ length }: readonly number[]): boolean => length === 0;

/** @throws ChatError the same for a missing group and one that the viewer does not see. */
function knownGroup(reader: Reader, viewer: Viewer, id: number): UserGroupRow {
  const group = userGroups.byId(reader, id);
  if (!group || !seesGroup(reader, viewer, group)) throw refused.noSuchUserGroup();
  return group;
}

const knownId = (reader: Reader, viewer: Viewer, id: number): number => (systemGroup(id) ?? knownGroup(reader, viewer, id)).id;

/** A group that its members may leave: not a copy of a group of the embedding program, nor a system group. */
function leavableGroup(reader: Reader, actor: Member, id: number): UserGroupRow {
  if (systemGroup(id)) throw refused.notPermitted();
  const group = knownGroup(reader, actor, id);
  if (group.code !== null) throw refused.notPermitted();
  if (group.deactivated) throw refused.because('User group is deactivated.');
  return group;
}

/** The group's creator and administrators manage it. */
function managedGroup(reader: Reader, actor: Member, id: number): UserGroupRow {
  const group = leavableGroup(reader, actor, id);
  if (isGuest(actor) || !(isAdministrator(actor) || group.creator_id === actor.id)) throw refused.notPermitted();
  return group;
}

function freeName(reader: Reader, name: string, group?: UserGroupRow): string {
  const cleaned = cleanGroupName(name);
  const [other] = userGroups.activeNamed(reader, [groupNameKey(cleaned)]).filter(({ id }) => id !== group?.id);
  if (other) throw refused.because(`User group '${cleaned}' already exists.`);
  return cleaned;
}

/** @throws ChatError if one of them is missing, inactive or a member already. */
function newMembers(reader: Reader, groupId: number, ids: readonly number[]): number[] {
  const wanted = [...new Set(ids)];
  const active = new Set(users.byIds(reader, wanted).flatMap((user) => (user.is_active ? [user.id] : [])));
  const members = new Set(groupMembers.of(reader, groupId));
  for (const id of wanted) {
    if (!active.has(id)) throw refused.because(`Invalid user ID: ${id}`);
    if (members.has(id)) throw refused.because(`User ${id} is already a member of this group`);
  }
  if (members.size + wanted.length > api.maxUserGroupMembers) {
    throw refused.because(`Too many members (limit: ${api.maxUserGroupMembers}).`);
  }
  return wanted;
}

/** @throws ChatError if one of them is missing, deactivated or a subgroup already, or contains the group. */
function newSubgroups(reader: Reader, groupId: number, ids: readonly number[]): number[] {
  const wanted = [...new Set(ids)];
  const below = new Set(subgroups.of(reader, groupId));
  for (const id of wanted) {
    if (!systemGroup(id) && userGroups.byId(reader, id)?.deactivated !== 0) throw refused.because(`Invalid user group ID: ${id}`);
    if (below.has(id)) throw refused.because(`User group ${id} is already a subgroup of this group.`);
    if (groupsWithin(reader, id).includes(groupId)) throw refused.because(`User group ${id} contains this group.`);
  }
  if (below.size + wanted.length > api.maxUserSubgroups) {
    throw refused.because(`Too many subgroups (limit: ${api.maxUserSubgroups}).`);
  }
  return wanted;
}

function changeGroupsBelow(
  tx: Transaction,
  log: EventLog,
  { id }: UserGroupRow,
  added: readonly number[],
  removed: readonly number[],
): void {
  const below = subgroups.of(tx, id);
  for (const each of removed) {
    if (!below.includes(each)) throw refused.because(`User group ${each} is not a subgroup of this group.`);
  }
  changeSubgroups(tx, log, id, { removed: [...new Set(removed)] });
  changeSubgroups(tx, log, id, { added: newSubgroups(tx, id, added) });
}

function deactivate(tx: Transaction, log: EventLog, actor: Member, id: number): void {
  const group = managedGroup(tx, actor, id);
  if (subgroups.parentsOf(tx, group.id).some((parent) => userGroups.byId(tx, parent)?.deactivated === 0)) {
    throw refused.because('Another user group contains this group.');
  }
  userGroups.deactivate(tx, group.id);
  publishGroup(tx, log, { op: 'update', group_id: group.id, data: { deactivated: true } });
}

/** A guest sees only themselves. */
function membersFor(reader: Reader, viewer: Member, id: number, directOnly: boolean): number[] {
  const known = knownId(reader, viewer, id);
  const members = activeMembers(reader, directOnly ? [known] : groupsWithin(reader, known));
  return isGuest(viewer) ? members.filter((userId) => userId === viewer.id) : members;
}
