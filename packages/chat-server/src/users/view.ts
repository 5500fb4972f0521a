import { type Role, type User } from '@engawa/protocol';
import type { Reader } from '../database/index.ts';
import { type Member, type Ranked, isAdministrator, isGuest, isModerator, isOwner, roleOf } from '../identity/member.ts';
import type { ProfilesOf } from '../profileFields/view.ts';
import { type UserRow, users } from '../identity/store.ts';

export function userView(user: UserRow, seesPicture: boolean, viewer: Ranked, profiles: ProfilesOf): User {
  return { ...listedUserView(user, seesPicture, viewer, profiles), is_active: user.is_active === 1 };
}

/** A user for register, without `is_active`, because register has one list of active and one of inactive users. */
export function listedUserView(user: UserRow, seesPicture: boolean, viewer: Ranked, profiles: ProfilesOf): User {
  return {
    user_id: user.id,
    email: user.email,
    delivery_email: user.email,
    full_name: user.full_name,
    date_joined: new Date(user.date_joined * 1000).toISOString(),
    ...roleView(roleOf(user)),
    is_billing_admin: false,
    is_bot: user.is_bot === 1,
    // Guests get no owner: they may not see that user, and no event is published when they begin to.
    ...(user.is_bot === 1 ? { bot_type: user.bot_type, bot_owner_id: isGuest(viewer) ? null : user.bot_owner_id } : {}),
    timezone: user.timezone,
    ...pictureView(user, seesPicture),
    ...profiles(user.id),
  };
}

/** A hidden picture looks as if the user never had one, so that others do not notice that it is hidden. */
export function pictureView({ avatar_url, avatar_version }: UserRow, seesPicture: boolean) {
  return seesPicture ? { avatar_url, avatar_version } : { avatar_url: null, avatar_version: 1 };
}

export function roleView(role: Role) {
  return { role, is_owner: isOwner({ role }), is_admin: isAdministrator({ role }), is_guest: isGuest({ role }) };
}

/** The fields of register's answer that describe the member. */
export function ownState(reader: Reader, member: Member) {
  const self = users.byId(reader, member.id);
  return {
    user_id: member.id,
    email: member.email,
    ...(self ? { full_name: self.full_name, avatar_url: self.avatar_url } : {}),
    is_admin: isAdministrator(member),
    is_owner: isOwner(member),
    is_moderator: isModerator(member),
    is_guest: isGuest(member),
  };
}
