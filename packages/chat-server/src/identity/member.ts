import { type BotType, type Role, role, roles } from '@engawa/protocol';

/** The calling member. `keyId`: the API key of the call. The type and the owner are null unless the member is a bot. */
export interface Member {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly keyId: number;
  readonly botType: BotType | null;
  readonly ownerId: number | null;
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

/** The part of a member that decides what they may see. */
export type Viewer = Pick<Member, 'id' | 'role' | 'ownerId'>;

export function viewerOf(user: Ranked & { readonly id: number; readonly bot_owner_id: number | null }): Viewer {
  return { id: user.id, role: roleOf(user), ownerId: user.bot_owner_id };
}
