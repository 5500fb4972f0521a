import { randomUUID } from 'node:crypto';
import { type Database, DatabaseClosedError, type Reader } from '@engawa/chat-server/database';
import { readdressed } from '../chat/connections.ts';
import type { Log } from '../log.ts';
import { sessionDays } from './cookie.ts';
import { createToken, hashOf, isToken, seal, unseal } from './seal.ts';
import { sessionRows } from './store.ts';
import { UnderWay } from '../chat/sessionActivity.ts';

interface OpenSession {
  readonly userId: number;
  /** What the member's calls to the chat server carry as their Authorization header. */
  readonly authorization: string;
  /** The number of its own key; undefined where the key is shared. */
  readonly keyId: number | undefined;
  readonly underWay: UnderWay;
}

/** One of a member's sessions, as they may see it. */
export interface ListedSession {
  readonly id: string;
  /** As the browser named itself; empty where it did not. */
  readonly userAgent: string;
  /** Unix seconds. */
  readonly created: number;
  /** Unix seconds, to within `useNotedEvery`. */
  readonly used: number;
  /** It is that of the token which was given. */
  readonly current: boolean;
}

/** What begins with a sign-in. */
interface NewSession {
  readonly userId: number;
  /** What the member's calls to the chat server carry as their Authorization header. */
  readonly authorization: string;
  /** The number of its key at the chat server, if the key is its own: it ends with the session. */
  readonly keyId?: number | undefined;
  readonly userAgent: string;
  /** The token of a session that ends by this. */
  readonly replaced: string | undefined;
}

/**
 * The browsers that are signed in. The database holds neither a token nor a key of the chat server that anyone could
 * use: the token is hashed, and the key is encrypted under a key that is derived from the token.
 */
export interface Sessions {
  /**
   * Where the member has too many, the one that was not used for the longest time ends.
   * @returns the new session's token, for the browser's cookie and nowhere else.
   */
  open(session: NewSession): Promise<string>;
  /** @returns the session with this token; undefined when there is none, or no longer. */
  find(token: string): OpenSession | undefined;
  end(token: string): Promise<void>;
  /** The one that is used last first. @param token of the one that asks, if it is one of them. */
  listOf(userId: number, token: string | undefined): readonly ListedSession[];
  /**
   * Ends those of the member's sessions that are chosen, and answers the polls that wait with them.
   * @returns what each of them had under way.
   */
  endOf(userId: number, token: string | undefined, chosen: (session: ListedSession) => boolean): Promise<readonly UnderWay[]>;
}

/** Most sessions of a member: each browser has one. */
export const mostSessions = 100;
/** Seconds. A session in use is written down once in so long. */
const useNotedEvery = 5 * 60;
/** Characters (UTF-16) that are kept of what a browser calls itself. */
const mostOfUserAgent = 400;

export interface SessionOptions {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A member's email as it is now; undefined where only they themselves can be asked. */
  readonly emailOf: (userId: number) => string | undefined;
  /** Ends keys of a member's at the chat server, by their numbers. */
  readonly endKeys: (userId: number, keyIds: readonly number[]) => Promise<unknown>;
  readonly log: Log;
}

type Row = ReturnType<typeof sessionRows.ofMember>[number];
type EndedRow = ReturnType<typeof sessionRows.remove>[number];

export function createSessions({ database, now, emailOf, endKeys, log }: SessionOptions): Sessions {
  const seconds = () => Math.floor(now() / 1000);
  const oldest = () => seconds() - sessionDays * 24 * 60 * 60;
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

  /** Those whose use is just being written down, by the names of their hashes. */
  const noting = new Set<string>();
  const noteUse = async (hash: Uint8Array): Promise<void> => {
    const name = nameOf(hash);
    if (noting.has(name)) return;
    noting.add(name);
    try {
      await database.write((tx) => sessionRows.use(tx, hash, seconds()));
    } catch (error) {
      // The call that used it has nothing to do with this. It is written down with the next.
      if (!(error instanceof DatabaseClosedError)) log({ event: 'the use of a session was not noted', error });
    } finally {
      noting.delete(name);
    }
  };

  /** After the sessions, so that no session that is left is without its key. */
  const endKeysOf = async (ended: readonly EndedRow[]): Promise<void> => {
    const byUser = Map.groupBy(ended, ({ user_id }) => user_id);
    for (const [userId, rows] of byUser) {
      const keyIds = rows.flatMap(({ key_id }) => key_id ?? []);
      if (keyIds.length > 0) await endKeys(userId, keyIds);
    }
  };

  const rowsOf = (reader: Reader, userId: number) =>
    sessionRows.ofMember(reader, userId, oldest()).toSorted((one, other) => other.used - one.used);
  return {
    async open({ userId, authorization, keyId, userAgent, replaced }) {
      const token = createToken();
      const session = {
        token_hash: hashOf(token),
        id: randomUUID(),
        user_id: userId,
        sealed: seal(token, authorization),
        user_agent: userAgent.slice(0, mostOfUserAgent),
        created: seconds(),
        used: seconds(),
        key_id: keyId ?? null,
      };
      const { ended, hashes } = await database.write((tx) => {
        const old = sessionRows.removeOld(tx, oldest());
        const before = replaced === undefined ? [] : sessionRows.remove(tx, hashOf(replaced));
        const tooMany = rowsOf(tx, userId)
          .slice(mostSessions - 1)
          .map(({ token_hash }) => token_hash);
        const crowdedOut = tooMany.flatMap((hash) => sessionRows.remove(tx, hash));
        sessionRows.insert(tx, session);
        return { ended: [...old, ...before, ...crowdedOut], hashes: tooMany };
      });
      for (const hash of hashes) endUnderWay(hash);
      if (replaced !== undefined) endUnderWay(hashOf(replaced));
      await endKeysOf(ended);
      return token;
    },

    find(token) {
      if (!isToken(token)) return undefined;
      const hash = hashOf(token);
      const session = sessionRows.find(database.reader, hash, oldest());
      if (session) {
        const { user_id: userId, sealed, used, key_id: keyId } = session;
        if (seconds() - used >= useNotedEvery) void noteUse(hash);
        const sealedWith = unseal(token, sealed);
        const email = emailOf(userId);
        // A key goes with its member's email, which may have changed since, and in another browser.
        const authorization = email === undefined ? sealedWith : readdressed(sealedWith, email);
        return { userId, authorization, keyId: keyId ?? undefined, underWay: underWayOf(hash) };
      }
      // It may have run out.
      endUnderWay(hash);
      return undefined;
    },

    async end(token) {
      const hash = hashOf(token);
      const ended = await database.write((tx) => sessionRows.remove(tx, hash));
      endUnderWay(hash);
      await endKeysOf(ended);
    },

    listOf: (userId, token) => rowsOf(database.reader, userId).map((row) => listed(row, ownOf(token))),

    async endOf(userId, token, chosen) {
      const own = ownOf(token);
      const { hashes, ended } = await database.write((tx) => {
        const found = rowsOf(tx, userId)
          .filter((row) => chosen(listed(row, own)))
          .map(({ token_hash }) => token_hash);
        return { hashes: found, ended: found.flatMap((hash) => sessionRows.remove(tx, hash)) };
      });
      const underWay = hashes.map((hash) => {
        const each = underWayOf(hash);
        endUnderWay(hash);
        return each;
      });
      await endKeysOf(ended);
      return underWay;
    },
  };
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64');
}

/** The name of its session's hash; that of none where there is no token. */
function ownOf(token: string | undefined): string {
  return token === undefined ? '' : nameOf(hashOf(token));
}

function listed({ token_hash, id, user_agent: userAgent, created, used }: Row, own: string): ListedSession {
  return { id, userAgent, created, used, current: nameOf(token_hash) === own };
}
