import { deactivateUser, reactivateUser } from '@engawa/protocol';
import { interruptStays, resumeStays } from '../streams/pause.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import type { Presence } from '../presence/presence.ts';
import { type Ranked, isOwner } from '../identity/member.ts';
import { administeredUser, memberNow, mustBeOwner, ownerMayGo } from '../identity/currentMember.ts';
import { type UserRow, users } from '../identity/store.ts';
import { tellOfUser } from './update.ts';

export interface ActivityRooms {
  readonly log: EventLog;
  readonly queues: Queues;
  readonly presence: Presence;
}

export function activityRoutes(rooms: ActivityRooms & { readonly database: Database }): Route[] {
  const { database, log } = rooms;
  return [
    memberRoute(deactivateUser, async ({ user_id }, { member }) => {
      await database.write((tx) => {
        const user = administeredUser(tx, member, user_id);
        deactivate(tx, rooms, memberNow(tx, member), user);
      });
      return {};
    }),

    memberRoute(reactivateUser, async ({ user_id }, { member }) => {
      await database.write((tx) => {
        const user = administeredUser(tx, member, user_id);
        reactivate(tx, log, memberNow(tx, member), user);
      });
      return {};
    }),
  ];
}

/**
 * Nothing of the user's goes; their keys are kept and refused. The work grows with their conversations.
 * @param by who does it, as they are now.
 */
export function deactivate(tx: Transaction, { log, queues, presence }: ActivityRooms, by: Ranked, user: UserRow): void {
  if (!user.is_active) throw refused.userDeactivated();
  ownerMayGo(tx, by, user);
  users.setActive(tx, user.id, false);
  interruptStays(tx, log, user.id);
  tellOfUser(tx, log, user.id, { is_active: false });
  presence.remove(tx, user.id);
  queues.endOfUser(tx, user.id, refused.deactivated);
}

/** The same user with the same keys in the same conversations, who reads on from here. @param by as they are now. */
export function reactivate(tx: Transaction, log: EventLog, by: Ranked, user: UserRow): void {
  if (user.is_active) return;
  if (isOwner(user)) mustBeOwner(by);
  users.setActive(tx, user.id, true);
  tellOfUser(tx, log, user.id, { is_active: true });
  resumeStays(tx, log, user.id);
}
