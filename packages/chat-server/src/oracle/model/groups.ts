import { roles, systemGroups } from '@engawa/protocol';
import { isAdministrator } from './access.ts';
import { type Group, type Model, type User, ascending, found } from './model.ts';

const { owners, administrators, moderators, fullmembers, members, everyone } = systemGroups;
const ofRoles: Readonly<Record<number, readonly number[]>> = {
  [roles.owner]: [owners],
  [roles.administrator]: [administrators],
  [roles.moderator]: [moderators],
  [roles.member]: [fullmembers, members],
  [roles.guest]: [everyone],
};

type Change = 'add_members' | 'remove_members';

export function publishRole(model: Model, op: Change, user: number, role: number): void {
  for (const group of ofRoles[role] ?? []) model.publish(model.users.keys(), { type: 'user_group', op, group, user });
}

export function publishActivity(model: Model, op: Change, { id, role }: User): void {
  publishRole(model, op, id, role);
  for (const group of model.groups.values()) {
    if (group.members.has(id)) model.publish(model.users.keys(), { type: 'user_group', op, group, user: id });
  }
}

export interface GroupChange {
  readonly group: number;
  readonly op: 'add' | 'remove';
  readonly user: number;
}

export const creationRefusal = ({ role }: User): string | undefined =>
  role === roles.guest ? 'Not allowed for guest users' : undefined;

export function createGroup(model: Model, id: number, creator: User): void {
  const group = { id, creator: creator.id, members: new Set([creator.id]) };
  model.groups.set(id, group);
  model.publish(model.users.keys(), { type: 'user_group', op: 'add', group });
}

export function changeGroup(model: Model, by: User, { group: id, op, user: userId }: GroupChange): string | undefined {
  const [group, user] = [found(model.groups, id), model.user(userId)];
  const { members: all } = group;
  if (by.role === roles.guest && !all.has(by.id)) return 'Invalid user group';
  const isLeaving = op === 'remove' && userId === by.id;
  const manages = by.role !== roles.guest && (isAdministrator(by) || group.creator === by.id);
  if (!isLeaving && !manages) return 'Insufficient permission';
  if (op === 'remove') {
    if (!all.delete(userId)) return `There is no member '${userId}' in this user group`;
  } else {
    if (!user.isActive) return `Invalid user ID: ${userId}`;
    if (all.has(userId)) return `User ${userId} is already a member of this group`;
    all.add(userId);
  }
  const change = op === 'add' ? 'add_members' : 'remove_members';
  if (user.isActive) model.publish(model.users.keys(), { type: 'user_group', op: change, group, user: userId });
  return undefined;
}

/** The members of each group that the viewer sees. A guest sees only themselves. */
export function shownGroups(model: Model, viewer: User): Map<number, readonly number[]> {
  const isGuest = viewer.role === roles.guest;
  const isShown = (id: number) => !isGuest || id === viewer.id;
  const active = model.activeUsers.filter(({ id }) => isShown(id));
  const system = Object.values(systemGroups).map((id): [number, readonly number[]] => [
    id,
    ascending(active.flatMap((user) => (ofRoles[user.role]?.includes(id) ? [user.id] : []))),
  ]);
  const made = [...model.groups.values()].filter((group) => !isGuest || group.members.has(viewer.id));
  return new Map([
    ...system,
    ...made.map((group): [number, readonly number[]] => [group.id, membersShown(model, viewer, group)]),
  ]);
}

export function membersShown(model: Model, { id: viewerId, role }: User, { members: all }: Group): readonly number[] {
  const active = [...all].filter((id) => model.user(id).isActive);
  return ascending(role === roles.guest ? active.filter((id) => id === viewerId) : active);
}
