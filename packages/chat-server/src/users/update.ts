import { type Role, roles, updateUser } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { formerNames } from '../identity/formerNames.ts';
import { cleanFullName } from '../identity/fullName.ts';
import type { Ranked } from '../identity/member.ts';
import { administeredUser, memberNow, mustBeOwner, ownerMayGo } from '../identity/currentMember.ts';
import { type UserRow, users } from '../identity/store.ts';
import { roleView } from './view.ts';

export function updateUserRoute(database: Database, log: EventLog, queues: Queues): Route {
  return memberRoute(updateUser, async ({ user_id, full_name, role }, { member }) => {
    await database.write((tx) => {
      const user = administeredUser(tx, member, user_id);
      if (full_name !== undefined) changeName(tx, log, user, cleanFullName(full_name));
      if (role !== undefined) changeRole(tx, { log, queues }, memberNow(tx, member), user, role);
    });
    return {};
  });
}

export function changeName(tx: Transaction, log: EventLog, user: UserRow, full_name: string): void {
  if (full_name === user.full_name) return;
  users.setName(tx, user.id, full_name);
  formerNames.add(tx, user.id, user.full_name);
  tellOfUser(tx, log, user.id, { full_name });
}

interface RoleRooms {
  readonly log: EventLog;
  readonly queues: Queues;
}

/** @param by who changes it, as they are now. */
export function changeRole(tx: Transaction, { log, queues }: RoleRooms, by: Ranked, user: UserRow, role: Role): void {
  if (role === user.role) return;
  if (role === roles.owner) mustBeOwner(by);
  ownerMayGo(tx, by, user);
  users.setRole(tx, user.id, role);
  tellOfUser(tx, log, user.id, roleView(role));
  // What the user's clients know is what the former role was told.
  queues.endOfUser(tx, user.id, refused.badEventQueue);
}

/** Tells everyone what changed of a user. @returns the event's id. */
export function tellOfUser(tx: Transaction, log: EventLog, userId: number, change: Readonly<Record<string, unknown>>): number {
  return log.append(tx, {
    type: 'realm_user',
    reach: 'everyone',
    payload: { op: 'update', person: { user_id: userId, ...change } },
  });
}
