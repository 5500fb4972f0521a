import { fetchApiKey, regenerateApiKey } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database, Reader } from '../database/index.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../http/errors.ts';
import { type Route, memberRoute, openRoute } from '../http/router.ts';
import { issueApiKey, replaceApiKeys } from './apiKeys.ts';
import { isEmailAddress } from './email.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { SignInAttempts } from './signInAttempts.ts';
import { memberNow } from './standing.ts';
import { type UserRow, users } from './store.ts';

/** Compared against when there is no such user, so that the time taken does not tell. */
const nobodysPassword = hashPassword('');

export function signInRoutes(database: Database, queues: Queues, clock: Clock): Route[] {
  const attempts = new SignInAttempts(clock);
  return [
    openRoute(fetchApiKey, async ({ username, password }) => {
      if (!isEmailAddress(username)) throw refused.because('Enter a valid email address.');
      const { id } = await attempts.inTurn(username, () => userWith(database.reader, username, password));
      return database.write((tx) => {
        // Looked at again, because comparing the password took its time.
        const user = users.byId(tx, id);
        if (!user?.is_active) throw refused.deactivated();
        return { api_key: issueApiKey(tx, queues, id, seconds(clock)), email: user.email, user_id: id };
      });
    }),

    memberRoute(regenerateApiKey, async (_, { member }) => {
      const now = seconds(clock);
      const key = await database.write((tx) => replaceApiKeys(tx, queues, memberNow(tx, member).id, now));
      return { api_key: key };
    }),
  ];
}

async function userWith(reader: Reader, email: string, password: string): Promise<UserRow | undefined> {
  const user = users.byEmail(reader, email);
  const matches = await verifyPassword(password, user?.password ?? (await nobodysPassword));
  return matches ? user : undefined;
}
