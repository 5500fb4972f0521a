import { type User, getOwnUser, getUser, getUserByEmail, getUsers } from '@engawa/protocol';
import type { Passwords } from '../accounts/password.ts';
import type { Clock } from '../clock.ts';
import type { Reader } from '../database/index.ts';
import { newestReceivedId } from '../conversations/messageHeaders.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { memberNow, userNow } from '../identity/currentMember.ts';
import type { Groups } from '../identity/groups.ts';
import type { Member } from '../identity/member.ts';
import { type UserRow, users } from '../identity/store.ts';
import { type ProfilesOf, noProfiles, profilesOf } from '../profileFields/view.ts';
import { seenUser, seenUserNamed } from '../privacy/seenUsers.ts';
import { Visibility } from '../privacy/visibility.ts';
import { mostTogether } from '../turns.ts';
import { type ActivityDependencies, activityRoutes } from './activity.ts';
import { createUserRoute } from './create.ts';
import { idsOf } from './lists.ts';
import { pointerRoutes } from './pointer.ts';
import { type SettingDependencies, settingRoutes } from './settings.ts';
import { updateUserRoute } from './update.ts';
import { userView } from './view.ts';

export interface UserDependencies extends ActivityDependencies, SettingDependencies {
  readonly clock: Clock;
  readonly passwords: Passwords;
}

export function userRoutes(dependencies: UserDependencies): Route[] {
  const { database, log, queues, clock, groups, passwords } = dependencies;
  return [
    memberRoute(getUsers, ({ include_custom_profile_fields: withProfiles }, { member, takeTurns }) =>
      takeTurns(() =>
        database.longSnapshot(function* (reader) {
          const viewer = memberNow(reader, member);
          const visibility = new Visibility(reader, groups).preload('photo_audience');
          const members: User[] = [];
          for (const page of users.pages(reader, mostTogether)) {
            const seen = page.filter(({ id }) => visibility.sees(viewer, id));
            const profiles = withProfiles ? profilesOf(reader, idsOf(seen)) : noProfiles;
            for (const user of seen) {
              members.push(userView(user, visibility.canSee('photo_audience', user.id, viewer), viewer, profiles));
            }
            yield;
          }
          return { members };
        }),
      ),
    ),

    memberRoute(getUser, ({ user_id, include_custom_profile_fields: withProfile }, { member }) =>
      database.snapshot((reader) => {
        const profiles = withProfile ? profilesOf(reader, [user_id]) : noProfiles;
        return { user: seenView(reader, groups, member, seenUser(reader, member, user_id), profiles) };
      }),
    ),

    memberRoute(getUserByEmail, ({ email }, { member }) =>
      database.snapshot((reader) => ({
        user: seenView(reader, groups, member, seenUserNamed(reader, member, email), noProfiles),
      })),
    ),

    memberRoute(getOwnUser, (_, { member }) => {
      const user = userNow(database.reader, member);
      const max_message_id = newestReceivedId(database.reader, member.id);
      return { ...userView(user, true, member, profilesOf(database.reader, [user.id])), max_message_id, pointer: user.pointer };
    }),

    createUserRoute(database, log, clock, passwords),
    updateUserRoute(database, log, queues),
    ...settingRoutes(dependencies),
    ...activityRoutes(database, dependencies),
    ...pointerRoutes(database, log),
  ];
}

function seenView(reader: Reader, groups: Groups, member: Member, user: UserRow, profiles: ProfilesOf): User {
  return userView(user, new Visibility(reader, groups).canSee('photo_audience', user.id, member), member, profiles);
}
