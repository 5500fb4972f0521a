/** What the model does rarely: it is fetched when it is first asked for, so that the first screen need not wait for it. */
import { countEmojiUse, type Connection } from '@engawa/client';
import { askProduct, type ProductCall } from './connection/productCall.ts';
import { createCorrector, type Corrector } from './timeline/edit.ts';
import { createFlags, type Flags } from './unread/flaggedMessages.ts';
import { createGroups, type Groups } from './streams/groups.ts';
import { changePassword, endKeys, listKeys } from './people/account.ts';
import { createOwnProfile, type OwnProfile } from './people/ownProfile.ts';
import { createOwnSettings, type OwnSettings } from './people/ownSettings.ts';
import { endSessions, listSessions } from './people/ownSessions.ts';
import { statusTeller } from './people/ownStatus.ts';
import { signOut } from './connection/signOut.ts';
import type { Parts } from './environment.ts';
import type { Retry } from './connection/retry.ts';
import type { Store } from './store.ts';
import { createUnreader, type Unreader } from './timeline/markUnread.ts';
import type { Failure } from './connection/failure.ts';
import type { State } from './state.ts';
import type { ApiKey } from '@engawa/protocol/accounts';
import type { OwnSession } from '@engawa/protocol/product';

/** How the member is signed in, and by what. */
export interface Account {
  /**
   * Ends the session of this browser, and throws away what is not sent. Answers why nobody knows that it is done: then all of
   * it stays. Else the page has to be opened anew.
   */
  signOut(): Promise<Failure | undefined>;
  /** Where the member is signed in, or why nobody can say. */
  sessions(): Promise<readonly OwnSession[] | Failure>;
  /** Signs them out there, or everywhere but here. Answers why it could not be done. */
  endSessions(id: string | undefined): Promise<Failure | undefined>;
  /** The keys of their programs, the newest first, or why nobody can say. */
  keys(): Promise<readonly ApiKey[] | Failure>;
  /** One of them, or all. Answers why it could not be done. */
  endKeys(id: number | undefined): Promise<Failure | undefined>;
  /** Their other sessions and all their keys end. Answers why it could not be done: `AUTHENTICATION_FAILED` where `current` is wrong. */
  changePassword(current: string, password: string): Promise<Failure | undefined>;
}

export interface Later extends Corrector, Unreader, Account {
  readonly createGroup: Groups['create'];
  readonly loadProfile: OwnProfile['load'];
  readonly saveProfile: OwnProfile['save'];
  readonly loadFlagged: Flags['load'];
  readonly addAlertWord: Flags['addWord'];
  readonly removeAlertWord: Flags['removeWord'];
  readonly changeSettings: OwnSettings['change'];
  readonly setStatus: ReturnType<typeof statusTeller>;
  /** Where it fails nothing is lost but a count. */
  countEmojiUses(emoji: readonly string[]): Promise<Failure | undefined>;
  ask<Answer>(call: ProductCall<Answer>): Promise<{ readonly answer: Answer } | Failure>;
}

export interface LaterMeans {
  readonly connection: Connection;
  readonly store: Store<State>;
  readonly parts: Parts;
  readonly retry: Retry;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createLater({ connection, store, parts, retry, judge, stop }: LaterMeans): Later {
  const attempt = async <Done>(call: () => Promise<Done>): Promise<Done | Failure> => {
    try {
      return await call();
    } catch (error) {
      // Nobody waits for the answer any more.
      return stop.aborted ? { kind: 'signed-out' } : judge(error);
    }
  };
  const profile = createOwnProfile({ connection, store, parts, retry, judge, stop });
  const flags = createFlags({ connection, store, judge, stop });
  const asking = { connection, parts, stop };

  return {
    ...createCorrector({ connection, store, clock: parts.clock, judge, stop }),
    ...createUnreader({ connection, store, judge, stop }),
    createGroup: createGroups({ connection, store, judge, stop }).create,
    loadProfile: profile.load,
    saveProfile: profile.save,
    loadFlagged: flags.load,
    addAlertWord: flags.addWord,
    removeAlertWord: flags.removeWord,
    changeSettings: createOwnSettings({ connection, store, parts, judge, stop }).change,
    setStatus: statusTeller({ connection, store, judge, stop }),
    countEmojiUses: (uses) =>
      attempt(async () => {
        for (const emoji of uses) await countEmojiUse(connection, { emoji }, { signal: stop });
        return undefined;
      }),
    ask: (call) => attempt(() => askProduct(asking, call)),
    signOut: () =>
      attempt(async () => {
        await signOut(asking);
        // Nobody is to be asked whether they want to lose it who has just said so.
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
