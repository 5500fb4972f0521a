import { deactivateOwnUser, deactivateUser, reactivateUser } from '@engawa/protocol';
import type { Database, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow, mustBeOwner, refuseLosingOwner, userNow } from '../identity/currentMember.ts';
import { bots, refuseTooManyBots } from '../identity/bots.ts';
import { type Ranked, isOwner } from '../identity/member.ts';
import { refuseSameLook } from '../identity/sameLook.ts';
import { type UserRow, users } from '../identity/store.ts';
import type { Presence } from '../presence/presence.ts';
import { pauseMemberships, resumeMemberships } from '../streams/pause.ts';
import { publishActivity } from '../userGroups/events.ts';
import { administeredUser } from './administered.ts';
import { publishBot, publishUser } from './events.ts';

export interface ActivityDependencies {
  readonly log: EventLog;
  readonly queues: Queues;
  readonly presence: Presence;
}

export function activityRoutes(database: Database, dependencies: ActivityDependencies): Route[] {
  return [
    memberRoute(deactivateUser, ({ user_id }, { member }) =>
      database.write((tx) => {
        const user = administeredUser(tx, member, user_id);
        deactivate(tx, dependencies, memberNow(tx, member), user);
      }),
    ),

    memberRoute(deactivateOwnUser, (_, { member }) =>
      database.write((tx) => {
        const user = userNow(tx, member);
        deactivate(tx, dependencies, user, user);
      }),
    ),

    memberRoute(reactivateUser, ({ user_id }, { member }) =>
      database.write((tx) => {
        const user = administeredUser(tx, member, user_id);
        reactivate(tx, dependencies.log, memberNow(tx, member), user);
        if (!user.is_active) refuseSameLook(tx, [user_id], 'given');
      }),
    ),
  ];
}

/** Deletes nothing of the user and their bots but refuses their keys. @param by the member who makes the change, with their role now. */
export function deactivate(tx: Transaction, dependencies: ActivityDependencies, by: Ranked, user: UserRow): void {
  const { log, queues, presence } = dependencies;
  if (!user.is_active) throw refused.userDeactivated();
  refuseLosingOwner(tx, by, user);
  users.setActive(tx, user.id, false);
  pauseMemberships(tx, log, user.id);
  publishUser(tx, log, user.id, { is_active: false });
  publishActivity(tx, log, 'remove_members', user.id, user.role);
  publishBot(tx, log, user, ['is_active']);
  presence.remove(tx, user.id);
  queues.endOfUser(tx, user.id, refused.deactivated);
  for (const bot of bots.ofOwner(tx, user.id)) if (bot.is_active) deactivate(tx, dependencies, by, bot);
}

/** The user's keys work again. Bots of a person stay deactivated. @param by the member who makes the change, with their role now. */
export function reactivate(tx: Transaction, log: EventLog, by: Ranked, user: UserRow): void {
  if (user.is_active) return;
  if (isOwner(user)) mustBeOwner(by);
  if (user.bot_owner_id !== null) {
    if (!users.byId(tx, user.bot_owner_id)?.is_active) throw refused.because('The owner of the bot is deactivated.');
    refuseTooManyBots(tx, user.bot_owner_id, false);
  }
  users.setActive(tx, user.id, true);
  publishUser(tx, log, user.id, { is_active: true });
  publishActivity(tx, log, 'add_members', user.id, user.role);
  publishBot(tx, log, user, ['is_active']);
  resumeMemberships(tx, log, user.id);
}
