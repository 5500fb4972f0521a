import { type ParametersOut, createUser, roles } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { type Passwords, isWeakPassword } from '../accounts/password.ts';
import { mustBeAdministrator } from '../identity/currentMember.ts';
import { type NewUser, users } from '../identity/store.ts';

export interface CreateRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly clock: Clock;
  readonly passwords: Passwords;
}

export function createUserRoute({ database, log, clock, passwords }: CreateRooms): Route {
  return memberRoute(createUser, async (asked, { member }) => {
    mustBeAdministrator(database.reader, member);
    const named = nameOf(asked);
    if (isWeakPassword(asked.password, named)) throw refused.because('The password is too weak.');
    const password = await passwords.hash(asked.password);
    const id = await database.write((tx) => {
      // Looked at again, because hashing the password took its time.
      mustBeAdministrator(tx, member);
      return create(tx, log, { ...named, role: roles.member, password, date_joined: seconds(clock) });
    });
    return { user_id: id };
  });
}

function nameOf({ email, full_name }: ParametersOut<typeof createUser>): Pick<NewUser, 'email' | 'full_name'> {
  const trimmed = email.trim();
  if (!isEmailAddress(trimmed)) throw refused.because('Bad name or username');
  return { email: trimmed, full_name: cleanFullName(full_name) };
}

/** Emails are the same when they differ only in case. */
export function create(
  tx: Transaction,
  log: EventLog,
  user: Pick<NewUser, 'email' | 'full_name' | 'role' | 'password' | 'date_joined'>,
): number {
  if (users.byEmail(tx, user.email)) throw refused.emailInUse(user.email);
  const userId = users.insert(tx, { ...user, is_bot: 0, timezone: '', avatar_url: null });
  log.append(tx, { type: 'realm_user', reach: 'everyone', payload: { op: 'add', userId } });
  return userId;
}
