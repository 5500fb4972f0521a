import { type Role, roles, updateUser } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow, mustBeOwner, refuseLosingOwner } from '../identity/currentMember.ts';
import { formerNames } from '../identity/formerNames.ts';
import { cleanFullName } from '../identity/fullName.ts';
import { type Naming, refuseSameLook } from '../identity/sameLook.ts';
import { bots } from '../identity/bots.ts';
import { type Ranked, roleOf } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { leaveWithOwner } from '../streams/subscribe.ts';
import { publishRoleMember } from '../userGroups/events.ts';
import { administeredUser } from './administered.ts';
import { publishBot, publishPicture, publishUser } from './events.ts';
import { roleView } from './view.ts';

export function updateUserRoute(database: Database, log: EventLog, queues: Queues): Route {
  return memberRoute(updateUser, ({ user_id, full_name, role }, { member }) =>
    database.write((tx) => {
      const user = administeredUser(tx, member, user_id);
      if (full_name !== undefined) changeName(tx, log, user, cleanFullName(full_name), 'given');
      if (role !== undefined) changeRole(tx, log, queues, memberNow(tx, member), user, role);
    }),
  );
}

/** @param naming undefined if the caller checks the names of all changed users together. @throws ChatError NAME_IN_USE */
export function changeName(tx: Transaction, log: EventLog, user: UserRow, full_name: string, naming: Naming | undefined): void {
  if (full_name === user.full_name) return;
  users.setName(tx, user.id, full_name);
  if (naming) refuseSameLook(tx, [user.id], naming);
  formerNames.add(tx, user.id, user.full_name);
  publishUser(tx, log, user.id, { full_name });
  publishBot(tx, log, user, ['full_name']);
}

/** @param by the member who makes the change, with their role now. */
export function changeRole(tx: Transaction, log: EventLog, queues: Queues, by: Ranked, user: UserRow, role: Role): void {
  if (user.is_bot) {
    changeRoleOfBot(tx, log, queues, user, role);
    return;
  }
  if (role === user.role) return;
  if (role === roles.owner) mustBeOwner(by);
  refuseLosingOwner(tx, by, user);
  setRole(tx, log, queues, user, role);
  const own = bots.ofOwner(tx, user.id);
  for (const bot of own) limitRole(tx, log, queues, bot, { role });
  leaveWithOwner(tx, log, own);
}

function setRole(tx: Transaction, log: EventLog, queues: Queues, user: UserRow, role: Role): void {
  users.setRole(tx, user.id, role);
  publishUser(tx, log, user.id, roleView(role));
  if (user.is_active) {
    publishRoleMember(tx, log, 'remove_members', user.id, user.role);
    publishRoleMember(tx, log, 'add_members', user.id, role);
  }
  // The user's clients have data that the new role may not see, so they must register again.
  queues.endOfUser(tx, user.id, refused.badEventQueue);
}

function changeRoleOfBot(tx: Transaction, log: EventLog, queues: Queues, bot: UserRow, role: Role): void {
  if (role === roles.owner) throw refused.because('A bot cannot be an organization owner.');
  const owner = bot.bot_owner_id === null ? undefined : users.byId(tx, bot.bot_owner_id);
  if (!owner) throw new Error(`bot ${bot.id} has no owner`);
  bots.setGrantedRole(tx, bot.id, role);
  limitRole(tx, log, queues, { ...bot, granted_role: role }, owner);
}

/** THE rule of a bot's role: it is the granted one, unless the owner has fewer rights. */
export function limitRole(tx: Transaction, log: EventLog, queues: Queues, bot: UserRow, owner: Ranked): void {
  const role = roleOf({ role: Math.max(bot.granted_role ?? roles.member, owner.role) });
  if (role !== bot.role) setRole(tx, log, queues, bot, role);
}

/** @param url the picture's address; null removes it. @throws TypeError if there is no such user. */
export function changeAvatar(tx: Transaction, log: EventLog, userId: number, url: string | null): void {
  const user = users.byId(tx, userId);
  if (!user) throw new TypeError(`there is no user ${userId}`);
  if (user.avatar_url === url) return;
  users.setAvatar(tx, userId, url);
  publishPicture(tx, log, userId);
  publishBot(tx, log, user, ['avatar_url']);
}
