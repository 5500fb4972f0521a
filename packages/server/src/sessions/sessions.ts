import type { Database } from '@engawa/chat-server/database';
import { sessionDays } from './cookie.ts';
import { createToken, hashOf, isToken, seal, unseal } from './seal.ts';
import { sessionRows } from './store.ts';

/**
 * The browsers that are signed in. The database holds neither a token nor a key of the chat server that anyone could
 * use: the token is hashed, and the key is encrypted under a key that is derived from the token.
 */
export interface Sessions {
  /**
   * @param authorization what the member's calls to the chat server carry as their Authorization header.
   * @param replaced the token of a session that ends by this.
   * @returns the new session's token, for the browser's cookie and nowhere else.
   */
  open(userId: number, authorization: string, replaced: string | undefined): Promise<string>;
  /** @returns the authorization of the session with this token; undefined when there is none, or no longer. */
  authorizationOf(token: string): string | undefined;
  end(token: string): Promise<void>;
}

/** @param now milliseconds since 1970. */
export function createSessions(database: Database, now: () => number): Sessions {
  const oldest = () => Math.floor(now() / 1000) - sessionDays * 24 * 60 * 60;

  return {
    async open(userId, authorization, replaced) {
      const token = createToken();
      const session = {
        token_hash: hashOf(token),
        user_id: userId,
        sealed: seal(token, authorization),
        created: Math.floor(now() / 1000),
      };
      await database.write((tx) => {
        sessionRows.removeOld(tx, oldest());
        if (replaced !== undefined) sessionRows.remove(tx, hashOf(replaced));
        sessionRows.insert(tx, session);
      });
      return token;
    },

    authorizationOf(token) {
      if (!isToken(token)) return undefined;
      const session = sessionRows.find(database.reader, hashOf(token), oldest());
      return session && unseal(token, session.sealed);
    },

    async end(token) {
      await database.write((tx) => sessionRows.remove(tx, hashOf(token)));
    },
  };
}
