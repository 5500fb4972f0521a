import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Member, type Ranked, isAdministrator, isOwner } from './member.ts';
import { type KeyedUserRow, type UserRow, users } from './store.ts';
import { roleOf } from '../users/view.ts';

/** The user behind a key. @throws ChatError when the key has ended or its user was deactivated. */
export function entitled(user: KeyedUserRow | undefined): KeyedUserRow {
  if (!user) throw refused.invalidApiKey();
  if (!user.is_active) throw refused.deactivated();
  return user;
}

/**
 * The member who asks, as they are now: changes that came before in the same turn may have ended their key or changed
 * their role since they were identified.
 */
export function memberNow(reader: Reader, member: Member): Member {
  return memberOf(userNow(reader, member));
}

/** The same as a row. */
export function userNow(reader: Reader, { keyId }: Member): KeyedUserRow {
  return entitled(users.byKey(reader, keyId));
}

export function memberOf(user: KeyedUserRow): Member {
  return { id: user.id, email: user.email, role: roleOf(user), keyId: user.key_id };
}

export function mustBeAdministrator(reader: Reader, member: Member): void {
  if (!isAdministrator(memberNow(reader, member))) throw refused.mustBe('an organization administrator');
}

/** @param by as they are now. */
export function mustBeOwner(by: Ranked): void {
  if (!isOwner(by)) throw refused.mustBe('an organization owner');
}

/** What takes an owner away is for owners to do, and never leaves none. @param by as they are now. */
export function ownerMayGo(reader: Reader, by: Ranked, user: UserRow): void {
  if (!isOwner(user)) return;
  mustBeOwner(by);
  if (!users.hasOtherOwner(reader, user.id)) throw refused.onlyOwner();
}

/** A user whom an administrator changes. */
export function administeredUser(reader: Reader, member: Member, userId: number): UserRow {
  const user = users.byId(reader, userId);
  if (!user) throw refused.noSuchUser();
  if (!isAdministrator(memberNow(reader, member))) throw refused.notPermitted();
  return user;
}
