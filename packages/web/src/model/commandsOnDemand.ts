/** Rare commands. They are loaded on demand, so that the first screen does not wait for them. */
import { countEmojiUse, type Connection } from '@engawa/client';
import { askProduct, type ProductCall } from './connection/productCall.ts';
import { createMessageEdits, type MessageEdits } from './timeline/edit.ts';
import { createFlags, type Flags } from './unread/flaggedMessages.ts';
import { createGroups, type Groups } from './streams/groups.ts';
import { changePassword, endKeys, listKeys } from './people/account.ts';
import { createOwnProfile, type OwnProfile } from './people/ownProfile.ts';
import { createOwnSettings, type OwnSettings } from './people/ownSettings.ts';
import { endSessions, listSessions } from './people/ownSessions.ts';
import { createOwnStatus } from './people/ownStatus.ts';
import { signOut } from './connection/signOut.ts';
import type { Environment } from './environment.ts';
import type { Retry } from './connection/retry.ts';
import type { Store } from './store.ts';
import { createUnreadMarks, type UnreadMarks } from './timeline/markUnread.ts';
import type { Failure } from './connection/failure.ts';
import type { State } from './state.ts';
import type { ApiKey } from '@engawa/protocol/accounts';
import type { OwnSession } from '@engawa/protocol/product';

/** The member's sessions, keys and password. */
export interface Account {
  /**
   * Ends the session of this browser and discards unsent messages. Returns the failure if the end is uncertain: then all of it
   * stays. Otherwise the page must be loaded again.
   */
  signOut(): Promise<Failure | undefined>;
  /** The member's sessions, or the failure. */
  sessions(): Promise<readonly OwnSession[] | Failure>;
  /** Ends a session, or all except this one. Returns the failure, if any. */
  endSessions(id: string | undefined): Promise<Failure | undefined>;
  /** The member's API keys, newest first, or the failure. */
  keys(): Promise<readonly ApiKey[] | Failure>;
  /** Revokes a key, or all. Returns the failure, if any. */
  endKeys(id: number | undefined): Promise<Failure | undefined>;
  /**
   * Also ends all other sessions and revokes all keys. Returns the failure, if any: `AUTHENTICATION_FAILED` if `current` is
   * wrong.
   */
  changePassword(current: string, password: string): Promise<Failure | undefined>;
}

export interface CommandsOnDemand extends MessageEdits, UnreadMarks, Account {
  readonly createGroup: Groups['create'];
  readonly loadProfile: OwnProfile['load'];
  readonly saveProfile: OwnProfile['save'];
  readonly loadFlagged: Flags['load'];
  readonly addAlertWord: Flags['addWord'];
  readonly removeAlertWord: Flags['removeWord'];
  readonly changeSettings: OwnSettings['change'];
  readonly setStatus: ReturnType<typeof createOwnStatus>;
  /** A failure loses only a count. */
  countEmojiUses(emoji: readonly string[]): Promise<Failure | undefined>;
  ask<Answer>(call: ProductCall<Answer>): Promise<{ readonly answer: Answer } | Failure>;
}

export interface CommandsDependencies {
  readonly connection: Connection;
  readonly store: Store<State>;
  readonly environment: Environment;
  readonly retry: Retry;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createCommandsOnDemand({
  connection,
  store,
  environment,
  retry,
  judge,
  stop,
}: CommandsDependencies): CommandsOnDemand {
  const attempt = async <Done>(call: () => Promise<Done>): Promise<Done | Failure> => {
    try {
      return await call();
    } catch (error) {
      // The model has stopped; the result is not used.
      return stop.aborted ? { kind: 'signed-out' } : judge(error);
    }
  };
  const profile = createOwnProfile({ connection, store, environment, retry, judge, stop });
  const flags = createFlags({ connection, store, judge, stop });
  const asking = { connection, environment, stop };

  return {
    ...createMessageEdits({ connection, store, judge, stop }, environment.clock),
    ...createUnreadMarks({ connection, store, judge, stop }),
    createGroup: createGroups({ connection, store, judge, stop }).create,
    loadProfile: profile.load,
    saveProfile: profile.save,
    loadFlagged: flags.load,
    addAlertWord: flags.addWord,
    removeAlertWord: flags.removeWord,
    changeSettings: createOwnSettings({ connection, store, environment, judge, stop }).change,
    setStatus: createOwnStatus({ connection, store, judge, stop }),
    countEmojiUses: (uses) =>
      attempt(async () => {
        for (const emoji of uses) await countEmojiUse(connection, { emoji }, { signal: stop });
        return undefined;
      }),
    ask: (call) => attempt(() => askProduct(asking, call)),
    signOut: () =>
      attempt(async () => {
        await signOut(asking);
        // Empties the outbox so that `beforeunload` does not ask again.
        store.update((state) => ({ ...state, outbox: [] }));
        return undefined;
      }),
    sessions: () => attempt(() => listSessions(asking)),
    endSessions: (id) => attempt(() => endSessions(asking, id)),
    keys: () => attempt(() => listKeys(asking)),
    endKeys: (id) => attempt(() => endKeys(asking, id)),
    changePassword: (current, password) => attempt(() => changePassword(asking, current, password)),
  };
}
