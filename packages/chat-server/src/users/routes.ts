import { getOwnUser, getUser, getUsers } from '@engawa/protocol';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../http/errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { newestReceivedId } from '../messages/fetch.ts';
import { emojiUseRoute } from '../settings/emojiUses.ts';
import { activityRoutes } from './activity.ts';
import { alertWordRoutes } from './alertWordRoutes.ts';
import { createUserRoute } from './create.ts';
import type { Groups } from './groups.ts';
import { pointerRoutes } from './pointer.ts';
import { settingsRoute } from './settings.ts';
import { signInRoutes } from './signIn.ts';
import { userNow } from './standing.ts';
import { users } from './store.ts';
import { updateUserRoute } from './update.ts';
import { userView } from './view.ts';

export interface UserRooms {
  readonly database: Database;
  readonly log: EventLog;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly groups: Groups;
}

export function userRoutes({ database, log, queues, clock, groups }: UserRooms): Route[] {
  return [
    ...signInRoutes(database, queues, clock),

    memberRoute(getUsers, () => ({ members: users.all(database.reader).map(userView) })),

    memberRoute(getUser, ({ user_id }) => {
      const user = users.byId(database.reader, user_id);
      if (!user) throw refused.noSuchUser();
      return { user: userView(user) };
    }),

    memberRoute(getOwnUser, (_, { member }) => {
      const user = userNow(database.reader, member);
      const max_message_id = newestReceivedId(database.reader, member.id);
      return { ...userView(user), max_message_id, pointer: user.pointer };
    }),

    createUserRoute(database, log, clock),
    updateUserRoute(database, log, queues),
    settingsRoute(database, log, groups),
    emojiUseRoute(database, log),
    ...activityRoutes(database, log, queues),
    ...pointerRoutes(database, log),
    ...alertWordRoutes(database, log),
  ];
}
