import { roles } from '@engawa/protocol';
import { z } from 'zod';
import type { Transaction } from '../database/index.ts';
import { type DeliveryBatch, type LogRange, perBatch } from '../events/batch.ts';
import { type EventLog, type EventRow, toSelf } from '../events/log.ts';
import { isGuest } from '../identity/member.ts';
import { type Viewer, seenAmong } from '../privacy/seenUsers.ts';
import { memberships } from './memberships.ts';

/**
 * A change examines at most this many pairs of a guest and a user, or one user for each guest. If it has more, each of the guests
 * gets one event that ends their queues, so that their clients register again.
 */
export const mostSightChanges = 500;

/** Call it before the newcomers' memberships begin. Guests get the users whom they do not see yet as new users. */
export function publishSightGained(tx: Transaction, log: EventLog, conversationId: number, newcomers: readonly Viewer[]): void {
  publish(tx, log, 'add', conversationId, newcomers);
}

/** Call it after the leavers' memberships ended. Guests lose the users with whom they share no other conversation. */
export function publishSightLost(tx: Transaction, log: EventLog, conversationId: number, leavers: readonly Viewer[]): void {
  publish(tx, log, 'remove', conversationId, leavers);
}

const gain = z.object({ op: z.literal('add'), userId: z.int() });

const gainsOf = perBatch(() => ({ examined: new Set<LogRange>(), last: new Map<string, number>() }));

/** By guest and user, the last event of the batch by which the guest begins to see the user. */
function gainsIn(batch: DeliveryBatch): ReadonlyMap<string, number> {
  const { examined, last } = gainsOf(batch);
  for (const range of batch.ranges()) {
    if (examined.has(range)) continue;
    examined.add(range);
    for (const { id, type, reach, reach_id, payload } of range.rows) {
      const gained = type === 'realm_user' && reach === 'self' ? gain.safeParse(JSON.parse(payload)).data : undefined;
      if (!gained) continue;
      const key = `${reach_id} ${gained.userId}`;
      last.set(key, Math.max(id, last.get(key) ?? 0));
    }
  }
  return last;
}

/** Whether a later event adds the user, with all current data, for this guest. Then the guest does not need this earlier change. */
export function isGainedLater(event: EventRow, viewer: Viewer, userId: number, batch: DeliveryBatch): boolean {
  return isGuest(viewer) && event.id < (gainsIn(batch).get(`${viewer.id} ${userId}`) ?? 0);
}

/** A guest who stays is paired with all who come or go, and a guest who comes or goes with everyone else. */
function publish(tx: Transaction, log: EventLog, op: Op, conversationId: number, changing: readonly Viewer[]): void {
  if (changing.length === 0) return;
  const [staying, moving] = [memberships.currentUsers(tx, conversationId, roles.guest), changing.filter(isGuest)];
  const others = moving.length === 0 ? [] : memberships.currentUsers(tx, conversationId).map(({ id }) => id);
  const changingIds = changing.map(({ id }) => id);
  publishToAll(tx, log, op, staying, changingIds);
  publishToAll(tx, log, op, moving, [...others, ...changingIds]);
}

type Op = 'add' | 'remove';

function publishToAll(tx: Transaction, log: EventLog, op: Op, guests: readonly Viewer[], userIds: readonly number[]): void {
  const mayReport = userIds.length <= 1 || guests.length * userIds.length <= mostSightChanges;
  for (const guest of guests) {
    if (mayReport) publishTo(tx, log, op, guest, userIds);
    else log.append(tx, toSelf(guest, { type: 'realm_user', payload: { op: 'reload' } }));
  }
}

/** Leaves out the users whom the guest sees through another conversation. With a new user comes their status. */
function publishTo(tx: Transaction, log: EventLog, op: Op, guest: Viewer, userIds: readonly number[]): void {
  const seen = seenAmong(tx, guest, userIds);
  for (const userId of userIds.filter((id) => !seen.has(id))) {
    log.append(tx, toSelf(guest, { type: 'realm_user', payload: { op, userId } }));
    if (op === 'add') log.append(tx, toSelf(guest, { type: 'user_status', payload: { userId } }));
  }
}
