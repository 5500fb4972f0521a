import { type Role, type User, role, roles } from '@engawa/protocol';
import type { UserRow } from './store.ts';

/** A user as the chat API shows one to every member. */
export function userView(user: UserRow): User {
  return { ...listedUserView(user), is_active: user.is_active === 1 };
}

/** A user in register, where the list that they stand in says whether they are active. */
export function listedUserView(user: UserRow): User {
  const rank = roleOf(user);
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.full_name,
    date_joined: new Date(user.date_joined * 1000).toISOString(),
    role: rank,
    is_owner: rank === roles.owner,
    is_admin: rank <= roles.administrator,
    is_guest: rank === roles.guest,
    is_billing_admin: false,
    is_bot: user.is_bot === 1,
    timezone: user.timezone,
    avatar_url: user.avatar_url,
    avatar_version: user.avatar_version,
  };
}

export function roleOf(user: Pick<UserRow, 'role'>): Role {
  return role.parse(user.role);
}
