import { getOwnUser, getUser, getUsers } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { newestReceivedId } from '../conversations/messageHeaders.ts';
import type { Presence } from '../presence/presence.ts';
import { Sight } from '../privacy/visibility.ts';
import { emojiUseRoute } from '../settings/emojiUses.ts';
import { activityRoutes } from './activity.ts';
import { alertWordRoutes } from '../reading/alertWordRoutes.ts';
import { createUserRoute } from './create.ts';
import type { Groups } from '../identity/groups.ts';
import type { Passwords } from '../accounts/password.ts';
import { pointerRoutes } from './pointer.ts';
import { type EmailChanges, settingsRoute } from './settings.ts';
import { signInRoutes } from '../accounts/signIn.ts';
import type { SignInAttempts } from '../accounts/signInAttempts.ts';
import { userNow } from '../identity/currentMember.ts';
import { type UserRow, users } from '../identity/store.ts';
import { updateUserRoute } from './update.ts';
import { userView } from './view.ts';

export interface UserRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly groups: Groups;
  readonly presence: Presence;
  readonly attempts: SignInAttempts;
  readonly passwords: Passwords;
  readonly emailChanges: EmailChanges;
}

export function userRoutes(rooms: UserRooms): Route[] {
  const { database, log, queues, clock, groups, presence, attempts, passwords, emailChanges } = rooms;
  return [
    ...signInRoutes({ database, queues, clock, attempts, passwords }),

    memberRoute(getUsers, (_, { member }) =>
      database.snapshot((reader) => {
        const sight = new Sight(reader, groups).ofAll('photo_audience');
        const sees = ({ id }: UserRow) => sight.isOpen('photo_audience', id, member.id);
        return { members: users.all(reader).map((user) => userView(user, sees(user))) };
      }),
    ),

    memberRoute(getUser, ({ user_id }, { member }) =>
      database.snapshot((reader) => {
        const user = users.byId(reader, user_id);
        if (!user) throw refused.noSuchUser();
        const seesPicture = new Sight(reader, groups).isOpen('photo_audience', user_id, member.id);
        return { user: userView(user, seesPicture) };
      }),
    ),

    memberRoute(getOwnUser, (_, { member }) => {
      const user = userNow(database.reader, member);
      const max_message_id = newestReceivedId(database.reader, member.id);
      return { ...userView(user, true), max_message_id, pointer: user.pointer };
    }),

    createUserRoute({ database, log, clock, passwords }),
    updateUserRoute(database, log, queues),
    settingsRoute({ database, log, groups, presence, emailChanges }),
    emojiUseRoute(database, log),
    ...activityRoutes({ database, log, queues, presence }),
    ...pointerRoutes(database, log),
    ...alertWordRoutes(database, log),
  ];
}
