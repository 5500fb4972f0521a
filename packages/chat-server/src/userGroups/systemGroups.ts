import { roles, systemGroups } from '@engawa/protocol';

export interface SystemGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  /** The role of the direct members. The others are in the subgroups. */
  readonly role: number | undefined;
  readonly subgroups: readonly number[];
}

const { nobody, owners, administrators, moderators, fullmembers, members, everyone, internet } = systemGroups;

/** The groups that follow from the roles of users. Every member is a full member, because there is no waiting period. */
export const allSystemGroups: readonly SystemGroup[] = [
  { id: nobody, name: 'role:nobody', description: 'Nobody', role: undefined, subgroups: [] },
  { id: owners, name: 'role:owners', description: 'Owners of this organization', role: roles.owner, subgroups: [] },
  {
    id: administrators,
    name: 'role:administrators',
    description: 'Administrators of this organization, including owners',
    role: roles.administrator,
    subgroups: [owners],
  },
  {
    id: moderators,
    name: 'role:moderators',
    description: 'Moderators of this organization, including administrators',
    role: roles.moderator,
    subgroups: [administrators],
  },
  {
    id: fullmembers,
    name: 'role:fullmembers',
    description: 'Members of this organization, not including new accounts and guests',
    role: roles.member,
    subgroups: [moderators],
  },
  {
    id: members,
    name: 'role:members',
    description: 'Members of this organization, not including guests',
    role: roles.member,
    subgroups: [fullmembers],
  },
  {
    id: everyone,
    name: 'role:everyone',
    description: 'Everyone in this organization, including guests',
    role: roles.guest,
    subgroups: [members],
  },
  { id: internet, name: 'role:internet', description: 'Everyone on the Internet', role: undefined, subgroups: [everyone] },
];

export const systemGroup = (id: number): SystemGroup | undefined => allSystemGroups.find((group) => group.id === id);
/** The groups that a user with this role is a direct member of. */
export const systemGroupsOfRole = (role: number): readonly SystemGroup[] =>
  allSystemGroups.filter((group) => group.role === role);
