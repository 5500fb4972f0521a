import { type Role, type User, role } from '@engawa/protocol';
import { isAdministrator, isGuest, isOwner } from '../identity/member.ts';
import type { UserRow } from '../identity/store.ts';

/** A user as the chat API shows one to a member, who may see their picture or not. */
export function userView(user: UserRow, seesPicture: boolean): User {
  return { ...listedUserView(user, seesPicture), is_active: user.is_active === 1 };
}

/** A user in register, where the list that they stand in says whether they are active. */
export function listedUserView(user: UserRow, seesPicture: boolean): User {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.full_name,
    date_joined: new Date(user.date_joined * 1000).toISOString(),
    ...roleView(roleOf(user)),
    is_billing_admin: false,
    is_bot: user.is_bot === 1,
    timezone: user.timezone,
    ...pictureView(user, seesPicture),
  };
}

/** A picture that is withheld looks like none that there ever was. */
export function pictureView({ avatar_url, avatar_version }: UserRow, seesPicture: boolean) {
  return seesPicture ? { avatar_url, avatar_version } : { avatar_url: null, avatar_version: 1 };
}

export function roleView(rank: Role) {
  return {
    role: rank,
    is_owner: isOwner({ role: rank }),
    is_admin: isAdministrator({ role: rank }),
    is_guest: isGuest({ role: rank }),
  };
}

export function roleOf(user: Pick<UserRow, 'role'>): Role {
  return role.parse(user.role);
}
