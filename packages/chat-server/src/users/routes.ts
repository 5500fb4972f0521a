import { fetchApiKey, getOwnUser, getUsers } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database } from '../database/index.ts';
import { refused } from '../http/errors.ts';
import { type Route, memberRoute, openRoute } from '../http/router.ts';
import { newestReceivedId } from '../messages/fetch.ts';
import { issueApiKey } from './apiKeys.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { users } from './store.ts';
import { userView } from './view.ts';

/** Compared against when there is no such user, so that the time taken does not tell. */
const nobodysPassword = hashPassword('');

export function userRoutes(database: Database, clock: Clock): Route[] {
  return [
    openRoute(fetchApiKey, async ({ username, password }) => {
      if (!/^[^\s@]+@[^\s@]+$/.test(username)) throw refused.because('Enter a valid email address.');
      const user = users.byEmail(database.reader, username);
      const matches = await verifyPassword(password, user?.password ?? (await nobodysPassword));
      if (!user || !matches) throw refused.wrongPassword();
      const key = await database.write((tx) => {
        // Looked at again, because comparing the password took its time.
        if (!users.byId(tx, user.id)?.is_active) throw refused.deactivated();
        return issueApiKey(tx, user.id, seconds(clock));
      });
      return { api_key: key, email: user.email, user_id: user.id };
    }),

    memberRoute(getUsers, () => ({ members: users.all(database.reader).map(userView) })),

    memberRoute(getOwnUser, (_, { member }) => {
      const user = users.byId(database.reader, member.id);
      if (!user) throw refused.invalidApiKey();
      return { ...userView(user), max_message_id: newestReceivedId(database.reader, member.id) };
    }),
  ];
}
