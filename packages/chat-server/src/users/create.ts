import { type ParametersOut, createUser as createUserCall, roles } from '@engawa/protocol';
import { type Passwords, isWeakPassword } from '../accounts/password.ts';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { roleOf } from '../identity/member.ts';
import { refuseSameLook } from '../identity/sameLook.ts';
import { type NewUser, users } from '../identity/store.ts';
import { joinDefaultStreams } from '../streams/defaultStreams.ts';
import { atOnce } from '../turns.ts';
import { publishNewUser } from './events.ts';

export function createUserRoute(database: Database, log: EventLog, clock: Clock, passwords: Passwords): Route {
  return memberRoute(createUserCall, async (request, { member }) => {
    mustBeAdministrator(database.reader, member);
    const name = nameOf(request);
    if (isWeakPassword(request.password, name)) throw refused.because('The password is too weak.');
    const password = await passwords.hash(request.password);
    const id = await database.write((tx) => {
      // The caller's role is checked again, because it may have changed while the password was hashed.
      mustBeAdministrator(tx, member);
      const userId = createUser(tx, log, { ...name, role: roles.member, password, date_joined: seconds(clock) });
      refuseSameLook(tx, [userId], 'given');
      atOnce(joinDefaultStreams(tx, log, [{ id: userId, role: roles.member, ownerId: null }]));
      return userId;
    });
    return { user_id: id };
  });
}

function nameOf({ email, full_name }: ParametersOut<typeof createUserCall>): Pick<NewUser, 'email' | 'full_name'> {
  const trimmed = email.trim();
  if (!isEmailAddress(trimmed)) throw refused.because('Bad name or username');
  return { email: trimmed, full_name: cleanFullName(full_name) };
}

/** @returns the id. @throws ChatError if a user has the email, in upper or lower case. */
export function createUser(
  tx: Transaction,
  log: EventLog,
  user: Pick<NewUser, 'email' | 'full_name' | 'role' | 'password' | 'date_joined'>,
): number {
  if (users.byEmail(tx, user.email)) throw refused.emailInUse(user.email);
  const userId = users.insert(tx, { ...user, is_bot: 0, timezone: '', avatar_url: null });
  publishNewUser(tx, log, userId, roleOf(user));
  return userId;
}
