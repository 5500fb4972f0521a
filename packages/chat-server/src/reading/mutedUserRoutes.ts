import { maxMutedUsers, muteUser, unmuteUser } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { messageHeaders } from '../conversations/messageHeaders.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import { refused } from '../errors.ts';
import type { EventLog } from '../events/log.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow } from '../identity/currentMember.ts';
import type { Member } from '../identity/member.ts';
import { seenUser } from '../privacy/seenUsers.ts';
import { StepClock, type Steps, slicesOf } from '../turns.ts';
import { changeFlag } from './flags.ts';
import { mutedUsers } from './mutedUsers.ts';
import { allUnreadIds } from './unread.ts';

export function mutedUserRoutes(database: Database, log: EventLog, clock: Clock): Route[] {
  return [
    memberRoute(muteUser, async ({ muted_user_id }, { member, takeTurns }) => {
      const isNew = await database.write((tx) => mute(tx, log, memberNow(tx, member), muted_user_id, seconds(clock)));
      // Messages that arrive from now on are read at once, so only earlier ones are left.
      const ids = await takeTurns(() =>
        database.longSnapshot((reader) => unreadFrom(reader, memberNow(reader, member), muted_user_id)),
      );
      await changeFlag(database, log, member, { op: 'add', flag: 'read', messages: ids });
      // An earlier call may have ended before it had marked all, so a repeated one is refused only here.
      if (!isNew) throw refused.because('User already muted');
    }),

    memberRoute(unmuteUser, ({ muted_user_id }, { member }) =>
      database.write((tx) => {
        const viewer = memberNow(tx, member);
        const { id } = viewer;
        if (!isMuted(tx, id, muted_user_id)) {
          seenUser(tx, viewer, muted_user_id);
          throw refused.because('User is not muted');
        }
        mutedUsers.remove(tx, id, muted_user_id);
        publish(tx, log, id);
      }),
    ),
  ];
}

/** @returns false if the member has muted the user already. */
function mute(tx: Transaction, log: EventLog, member: Member, mutedId: number, now: number): boolean {
  if (mutedId === member.id) throw refused.because('Cannot mute self');
  seenUser(tx, member, mutedId);
  if (isMuted(tx, member.id, mutedId)) return false;
  if (mutedUsers.of(tx, member.id).length >= maxMutedUsers) {
    throw refused.because(`Too many muted users (limit: ${maxMutedUsers}).`);
  }
  mutedUsers.insert(tx, { user_id: member.id, muted_id: mutedId, since: now });
  publish(tx, log, member.id);
  return true;
}

const isMuted = (reader: Reader, userId: number, mutedId: number): boolean =>
  mutedUsers.of(reader, userId).some(({ id }) => id === mutedId);

function publish(tx: Transaction, log: EventLog, userId: number): void {
  const payload = { muted_users: mutedUsers.of(tx, userId) };
  log.append(tx, { type: 'muted_users', reach: 'self', reachId: userId, payload });
}

/** Of the newest `maxUnreadListed` unread messages. */
function* unreadFrom(reader: Reader, member: Member, senderId: number): Steps<number[]> {
  const clock = new StepClock();
  const { ids } = yield* allUnreadIds(reader, member.id, clock);
  const found: number[] = [];
  for (const some of slicesOf(ids)) {
    const headers = messageHeaders.of(reader, some);
    found.push(...headers.filter(({ sender_id }) => sender_id === senderId).map(({ id }) => id));
    yield* clock.pause();
  }
  return found;
}
