import { roles } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import type { Presence } from '../presence/presence.ts';
import { deactivate, reactivate } from '../users/activity.ts';
import { endAllApiKeys } from '../accounts/apiKeys.ts';
import { createUser } from '../users/create.ts';
import { isEmailAddress } from '../identity/email.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { type Ranked, isAdministrator, isOwner } from '../identity/member.ts';
import { mustBeOwner } from '../identity/currentMember.ts';
import { changeEmail } from '../users/settings.ts';
import { type UserRow, users } from '../identity/store.ts';
import { changeName, changeRole } from '../users/update.ts';
import type { NewPerson, PersonChange, Reorganiser } from './reorganisation.ts';

export interface PeopleDependencies {
  readonly log: EventLog;
  readonly queues: Queues;
  readonly presence: Presence;
  readonly clock: Clock;
}

/** @throws ChatError if the member who reorganises is no longer an administrator. */
export function rankOf(reader: Reader, by: Reorganiser): Ranked {
  if (by === 'console') return { role: roles.owner };
  const user = users.byId(reader, by);
  if (!user?.is_active || user.is_bot) throw refused.deactivated();
  if (!isAdministrator(user)) throw refused.mustBe('an organization administrator');
  return user;
}

export function createPerson(tx: Transaction, dependencies: PeopleDependencies, by: Ranked, person: NewPerson): number {
  if (isOwner(person)) mustBeOwner(by);
  const email = freeAddress(tx, person.email);
  const id = createUser(tx, dependencies.log, {
    email,
    full_name: cleanFullName(person.fullName),
    role: person.role,
    password: person.password,
    date_joined: seconds(dependencies.clock),
  });
  const user = person.isActive ? undefined : users.byId(tx, id);
  if (user) deactivate(tx, dependencies, by, user);
  return id;
}

/** Only owners may change the email, password or role of an owner, or deactivate them. */
export function changePerson(tx: Transaction, dependencies: PeopleDependencies, by: Ranked, change: PersonChange): void {
  const { log, queues } = dependencies;
  const user = users.byId(tx, change.userId);
  if (!user || user.is_bot) throw refused.noSuchUser();
  const { email, fullName, role, isActive, password } = change;
  if (fullName !== undefined) changeName(tx, log, user, cleanFullName(fullName), undefined);
  if (email !== undefined && email.trim() !== user.email) {
    if (isOwner(user)) mustBeOwner(by);
    changeEmail(tx, log, user, freeAddress(tx, email, user));
  }
  if (role !== undefined) changeRole(tx, log, queues, by, user, role);
  const now = { ...user, role: role ?? user.role };
  if (isActive === true) reactivate(tx, log, by, now);
  if (isActive === false && user.is_active) {
    deactivate(tx, dependencies, by, now);
    // Without this, the user's keys would work again after a reactivation.
    endAllApiKeys(tx, queues, user.id);
  }
  if (password !== undefined) {
    if (isOwner(now)) mustBeOwner(by);
    users.setPassword(tx, user.id, password);
    endAllApiKeys(tx, queues, user.id);
  }
}

function freeAddress(reader: Reader, email: string, owner?: UserRow): string {
  const trimmed = email.trim();
  if (!isEmailAddress(trimmed)) throw refused.because('Invalid address.');
  const holder = users.byEmail(reader, trimmed);
  if (holder && holder.id !== owner?.id) throw refused.addressTaken(trimmed);
  return trimmed;
}
