import { fetchApiKey, regenerateApiKey } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import type { Database } from '../database/index.ts';
import type { Queues } from '../events/queues.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute, openRoute } from '../http/router.ts';
import { issueApiKey, replaceApiKeys } from './apiKeys.ts';
import { isEmailAddress } from '../identity/email.ts';
import type { Passwords } from './password.ts';
import type { SignInAttempts } from './signInAttempts.ts';
import { memberNow } from '../identity/currentMember.ts';
import { users } from '../identity/store.ts';

export interface SignInDependencies {
  readonly database: Database;
  readonly queues: Queues;
  readonly clock: Clock;
  readonly attempts: SignInAttempts;
  readonly passwords: Passwords;
}

export function signInRoutes({ database, queues, clock, attempts, passwords }: SignInDependencies): Route[] {
  return [
    openRoute(fetchApiKey, async ({ username, password }, { address, forBrowser, knownDevice: device }) => {
      if (!isEmailAddress(username)) throw refused.because('Enter a valid email address.');
      const { id, password: known } = await attempts.inTurn({ name: username, address, device }, async () => {
        const user = users.byEmail(database.reader, username);
        return (await passwords.isOf(user, password)) ? user : undefined;
      });
      return database.write((tx) => {
        // Checked again, because the password may have changed while it was verified.
        const user = users.byId(tx, id);
        if (user?.password !== known) throw refused.wrongPassword();
        if (!user.is_active) throw refused.deactivated();
        const kind = forBrowser ? 'browser' : 'program';
        const api_key = issueApiKey(tx, queues, { user_id: id, kind, created: seconds(clock) });
        return { api_key, email: user.email, user_id: id };
      });
    }),

    memberRoute(regenerateApiKey, async (_, { member }) => {
      const now = seconds(clock);
      const key = await database.write((tx) => replaceApiKeys(tx, queues, memberNow(tx, member).id, now));
      return { api_key: key };
    }),
  ];
}
