import type { Reader } from '../database/index.ts';
import { refused } from '../errors.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Member, isAdministrator } from '../identity/member.ts';
import type { UserRow } from '../identity/store.ts';
import { seenUser } from '../privacy/seenUsers.ts';

/** A user whom the member may change as an administrator. @throws ChatError */
export function administeredUser(reader: Reader, caller: Member, userId: number): UserRow {
  const member = memberNow(reader, caller);
  const user = seenUser(reader, member, userId);
  if (!isAdministrator(member)) throw refused.notPermitted();
  return user;
}
