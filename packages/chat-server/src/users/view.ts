import { type Role, type User, role } from '@engawa/protocol';
import { isAdministrator, isGuest, isOwner } from './member.ts';
import type { UserRow } from './store.ts';

/** A user as the chat API shows one to every member. */
export function userView(user: UserRow): User {
  return { ...listedUserView(user), is_active: user.is_active === 1 };
}

/** A user in register, where the list that they stand in says whether they are active. */
export function listedUserView(user: UserRow): User {
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
    avatar_url: user.avatar_url,
    avatar_version: user.avatar_version,
  };
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
