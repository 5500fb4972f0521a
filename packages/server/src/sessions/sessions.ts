import { randomUUID } from 'node:crypto';
import { type Database, DatabaseClosedError, type Reader } from '@engawa/chat-server/database';
import type { Account } from '../chat/backend.ts';
import { withEmail } from '../chat/connections.ts';
import type { Log } from '../log/log.ts';
import { sessionDays } from './cookie.ts';
import { createToken, hashOf, isToken, seal, unseal } from './seal.ts';
import { sessionRows } from './store.ts';
import { SessionActivities, type SessionActivity } from '../chat/sessionActivity.ts';

interface OpenSession {
  readonly userId: number;
  readonly authorization: string;
  readonly keyId: number | undefined;
  readonly activity: SessionActivity;
}

export interface ListedSession {
  readonly id: string;
  readonly userAgent: string;
  readonly address: string;
  readonly created: number;
  readonly used: number;
  readonly current: boolean;
}

interface NewSession {
  readonly userId: number;
  readonly authorization: string;
  /** The session's own key, which ends with the session. */
  readonly keyId?: number | undefined;
  readonly userAgent: string;
  readonly address: string;
  readonly replaced: string | undefined;
}

/** The database holds no usable token or key: tokens are hashed, and keys are encrypted with a key derived from the token. */
export interface Sessions {
  /** The least recently used session beyond `maxSessions` ends. @returns the token, which only the browser's cookie holds. */
  open(session: NewSession): Promise<string>;
  find(token: string | undefined): OpenSession | undefined;
  /** Gives the session another authorization. */
  reseal(token: string, authorization: string): Promise<void>;
  end(token: string): Promise<void>;
  listOf(userId: number, token: string | undefined): readonly ListedSession[];
  /** Ends sessions of a member and answers their waiting polls. */
  endOf(
    userId: number,
    token: string | undefined,
    chosen: (session: ListedSession) => boolean,
  ): Promise<readonly SessionActivity[]>;
  endAll(userId: number): Promise<void>;
}

export const maxSessions = 100;
/** Seconds. */
const useNotedEvery = 5 * 60;
const maxUserAgentLength = 400;

type SessionAccount = Pick<Account, 'email' | 'isActive' | 'deactivations'>;

export interface SessionDependencies {
  readonly database: Database;
  readonly now: () => number;
  /** The member's current account; undefined if only the member can be asked. */
  readonly accountOf: (userId: number) => SessionAccount | undefined;
  readonly endKeys: (userId: number, keyIds: readonly number[]) => Promise<unknown>;
  readonly log: Log;
}

type Row = ReturnType<typeof sessionRows.ofMember>[number];
type EndedRow = ReturnType<typeof sessionRows.remove>[number];

export function createSessions({ database, now, accountOf, endKeys, log }: SessionDependencies): Sessions {
  const seconds = () => Math.floor(now() / 1000);
  const oldest = () => seconds() - sessionDays * 24 * 60 * 60;
  const activities = new SessionActivities();
  const opened = rememberOpened();
  const noteUse = createUseLog(database, log);

  /** Ends the keys after their sessions are removed, so that no existing session is without its key. */
  const endKeysOf = async (ended: readonly EndedRow[]): Promise<void> => {
    const byUser = Map.groupBy(ended, ({ user_id }) => user_id);
    for (const [userId, rows] of byUser) {
      const keyIds = rows.flatMap(({ key_id }) => key_id ?? []);
      if (keyIds.length > 0) await endKeys(userId, keyIds);
    }
  };
  const rowsOf = (reader: Reader, userId: number) =>
    sessionRows.ofMember(reader, userId, oldest()).toSorted((one, other) => other.used - one.used);

  const endOf: Sessions['endOf'] = async (userId, token, chosen) => {
    const own = ownNameOf(token);
    const { hashes, ended } = await database.write((tx) => {
      const found = rowsOf(tx, userId)
        .filter((row) => chosen(listedSession(row, own)))
        .map(({ token_hash }) => token_hash);
      return { hashes: found, ended: found.flatMap((hash) => sessionRows.remove(tx, hash)) };
    });
    const ending = hashes.map((hash) => activities.end(nameOf(hash)));
    await endKeysOf(ended);
    return ending;
  };

  return {
    endOf,
    endAll: async (userId) => void (await endOf(userId, undefined, () => true)),

    async open({ userId, authorization, keyId, userAgent, address, replaced }) {
      const token = createToken();
      const session = {
        token_hash: hashOf(token),
        id: randomUUID(),
        user_id: userId,
        sealed: seal(token, authorization),
        user_agent: userAgent.slice(0, maxUserAgentLength),
        address,
        created: seconds(),
        used: seconds(),
        key_id: keyId ?? null,
        deactivations: accountOf(userId)?.deactivations ?? null,
      };
      const { ended, hashes } = await database.write((tx) => {
        const old = sessionRows.removeOld(tx, oldest());
        const before = replaced === undefined ? [] : sessionRows.remove(tx, hashOf(replaced));
        const excess = rowsOf(tx, userId)
          .slice(maxSessions - 1)
          .map(({ token_hash }) => token_hash);
        const evicted = excess.flatMap((hash) => sessionRows.remove(tx, hash));
        sessionRows.insert(tx, session);
        return { ended: [...old, ...before, ...evicted], hashes: excess };
      });
      for (const hash of hashes) activities.end(nameOf(hash));
      if (replaced !== undefined) activities.end(nameOf(hashOf(replaced)));
      await endKeysOf(ended);
      return token;
    },

    find(token) {
      if (token === undefined || !isToken(token)) return undefined;
      const hash = hashOf(token);
      const session = sessionRows.find(database.reader, hash, oldest());
      const account = session && accountOf(session.user_id);
      if (session && !isOver(account, session)) {
        const { user_id: userId, sealed, used, key_id: keyId } = session;
        if (seconds() - used >= useNotedEvery) void noteUse(hash, seconds());
        const activity = activities.of(nameOf(hash));
        const sealedWith = opened(activity, token, sealed);
        // The member's email may have changed since the sign-in, in another browser.
        const authorization = account ? withEmail(sealedWith, account.email) : sealedWith;
        return { userId, authorization, keyId: keyId ?? undefined, activity };
      }
      activities.end(nameOf(hash));
      return undefined;
    },

    async reseal(token, authorization) {
      await database.write((tx) => sessionRows.reseal(tx, hashOf(token), seal(token, authorization)));
    },

    async end(token) {
      const hash = hashOf(token);
      const ended = await database.write((tx) => sessionRows.remove(tx, hash));
      activities.end(nameOf(hash));
      await endKeysOf(ended);
    },

    listOf(userId, token) {
      const account = accountOf(userId);
      const rows = rowsOf(database.reader, userId).filter((row) => !isOver(account, row));
      return rows.map((row) => listedSession(row, ownNameOf(token)));
    },
  };
}

/** Remembers the last opened seal of a session until it ends: every call of a browser needs it, and opening it takes 30 µs. */
function rememberOpened(): (activity: SessionActivity, token: string, sealed: Uint8Array) => string {
  const known = new WeakMap<SessionActivity, { readonly sealed: Uint8Array; readonly authorization: string }>();
  return (activity, token, sealed) => {
    const before = known.get(activity);
    if (before && Buffer.compare(before.sealed, sealed) === 0) return before.authorization;
    const authorization = unseal(token, sealed);
    known.set(activity, { sealed, authorization });
    return authorization;
  };
}

/** Concurrent uses of a session are written once. */
function createUseLog(database: Database, log: Log): (hash: Uint8Array, seconds: number) => Promise<void> {
  const writing = new Set<string>();
  return async (hash, seconds) => {
    const name = nameOf(hash);
    if (writing.has(name)) return;
    writing.add(name);
    try {
      await database.write((tx) => sessionRows.use(tx, hash, seconds));
    } catch (error) {
      // Only logged: the call itself can continue, and the next call notes the use.
      if (!(error instanceof DatabaseClosedError)) log({ event: 'session_use_not_noted', error });
    } finally {
      writing.delete(name);
    }
  };
}

function nameOf(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64');
}

function ownNameOf(token: string | undefined): string {
  return token === undefined ? '' : nameOf(hashOf(token));
}

/** A session from before a deactivation does not begin again when the member is reactivated. */
function isOver(account: SessionAccount | undefined, { deactivations }: Pick<Row, 'deactivations'>): boolean {
  return deactivations !== null && account?.isActive === true && account.deactivations !== deactivations;
}

function listedSession({ token_hash, id, user_agent: userAgent, address, created, used }: Row, own: string): ListedSession {
  return { id, userAgent, address, created, used, current: nameOf(token_hash) === own };
}
