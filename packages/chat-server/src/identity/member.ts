import { type Role, role, roles } from '@engawa/protocol';

/** The calling member. `keyId`: the API key of the call. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly keyId: number;
}

export interface Ranked {
  readonly role: number;
}

// Roles with lower numbers include the rights of roles with higher numbers.
export const isOwner = ({ role }: Ranked): boolean => role === roles.owner;
export const isAdministrator = ({ role }: Ranked): boolean => role <= roles.administrator;
export const isModerator = ({ role }: Ranked): boolean => role <= roles.moderator;
export const isGuest = ({ role }: Ranked): boolean => role === roles.guest;

export const roleOf = (user: Ranked): Role => role.parse(user.role);
