import { type Role, role, roles } from '@engawa/protocol';

/** The member who asks. Whatever a call looks up, it looks up through this. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  /** The API key that they showed. */
  readonly keyId: number;
}

/** Somebody, as far as their role goes. */
export interface Ranked {
  readonly role: number;
}

// Of the roles' numbers the lower stands higher, and may do what those below it may.
export const isOwner = ({ role }: Ranked): boolean => role === roles.owner;
export const isAdministrator = ({ role }: Ranked): boolean => role <= roles.administrator;
export const isModerator = ({ role }: Ranked): boolean => role <= roles.moderator;
export const isGuest = ({ role }: Ranked): boolean => role === roles.guest;

export const roleOf = (user: Ranked): Role => role.parse(user.role);
