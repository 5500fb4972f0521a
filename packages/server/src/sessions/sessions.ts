import type { Database } from '@engawa/chat-server/database';
import { readdressed } from '../chat/speaker.ts';
import { sessionDays } from './cookie.ts';
import { createToken, hashOf, isToken, seal, unseal } from './seal.ts';
import { sessionRows } from './store.ts';
import { UnderWay } from './underWay.ts';

export interface OpenSession {
  readonly userId: number;
  /** What the member's calls to the chat server carry as their Authorization header. */
  readonly authorization: string;
  readonly underWay: UnderWay;
}

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
  /** @returns the session with this token; undefined when there is none, or no longer. */
  find(token: string): OpenSession | undefined;
  end(token: string): Promise<void>;
}

export interface SessionOptions {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A member's email as it is now; undefined where only they themselves can be asked. */
  readonly emailOf: (userId: number) => string | undefined;
}

export function createSessions({ database, now, emailOf }: SessionOptions): Sessions {
  const oldest = () => Math.floor(now() / 1000) - sessionDays * 24 * 60 * 60;
  /** Of the sessions that were used since the start, by their hash. */
  const underWays = new Map<string, UnderWay>();
  const underWayOf = (hash: Uint8Array): UnderWay => {
    const name = nameOf(hash);
    const underWay = underWays.get(name) ?? new UnderWay();
    underWays.set(name, underWay);
    return underWay;
  };
  const endUnderWay = (hash: Uint8Array) => {
    const name = nameOf(hash);
    underWays.get(name)?.end();
    underWays.delete(name);
  };

  return {
    async open(userId, authorization, replaced) {
      const token = createToken();
      const ended = replaced === undefined ? undefined : hashOf(replaced);
      const session = {
        token_hash: hashOf(token),
        user_id: userId,
        sealed: seal(token, authorization),
        created: Math.floor(now() / 1000),
      };
      await database.write((tx) => {
        sessionRows.removeOld(tx, oldest());
        if (ended) sessionRows.remove(tx, ended);
        sessionRows.insert(tx, session);
      });
      if (ended) endUnderWay(ended);
      return token;
    },

    find(token) {
      if (!isToken(token)) return undefined;
      const hash = hashOf(token);
      const session = sessionRows.find(database.reader, hash, oldest());
      if (session) {
        const { user_id: userId, sealed } = session;
        const sealedWith = unseal(token, sealed);
        const email = emailOf(userId);
        // A key goes with its member's email, which may have changed since, and in another browser.
        const authorization = email === undefined ? sealedWith : readdressed(sealedWith, email);
        return { userId, authorization, underWay: underWayOf(hash) };
      }
      // It may have run out.
      endUnderWay(hash);
      return undefined;
    },

    async end(token) {
      const hash = hashOf(token);
      await database.write((tx) => sessionRows.remove(tx, hash));
      endUnderWay(hash);
    },
  };
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64');
}
