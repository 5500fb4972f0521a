import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Member, type Ranked, isAdministrator, isOwner, viewerOf } from './member.ts';
import { type KeyedUserRow, type UserRow, users } from './store.ts';

/** @throws ChatError if the key has ended or its user was deactivated. */
export function requireActive(user: KeyedUserRow | undefined): KeyedUserRow {
  if (!user) throw refused.invalidApiKey();
  if (!user.is_active) throw refused.deactivated();
  return user;
}

/** The member now. An earlier change of the same transaction may have ended their key or changed their role. */
export function memberNow(reader: Reader, member: Pick<Member, 'keyId'>): Member {
  return memberOf(userNow(reader, member));
}

export function userNow(reader: Reader, { keyId }: Pick<Member, 'keyId'>): KeyedUserRow {
  return requireActive(users.byKey(reader, keyId));
}

export function memberOf(user: KeyedUserRow): Member {
  return { ...viewerOf(user), email: user.email, keyId: user.key_id, botType: user.bot_type };
}

export function mustBeAdministrator(reader: Reader, member: Member): void {
  if (!isAdministrator(memberNow(reader, member))) throw refused.mustBe('an organization administrator');
}

/** @param by the member who makes the change, with their role now. */
export function mustBeOwner(by: Ranked): void {
  if (!isOwner(by)) throw refused.mustBe('an organization owner');
}

/** Only owners may demote or deactivate an owner, and never the last one. @param by as for `mustBeOwner`. */
export function refuseLosingOwner(reader: Reader, by: Ranked, user: UserRow): void {
  if (!isOwner(user)) return;
  mustBeOwner(by);
  if (users.otherOwner(reader, user.id) === undefined) throw refused.onlyOwner();
}
