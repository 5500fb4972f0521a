/** What the model does rarely: it is fetched when it is first asked for, so that the first screen need not wait for it. */
import { countEmojiUse, type Connection } from '@engawa/client';
import { askProduct, type ProductCall } from './connection/asking.ts';
import { createCorrector, type Corrector } from './timeline/corrector.ts';
import { createFlags, type Flags } from './unread/flags.ts';
import { createGroups, type Groups } from './streams/groups.ts';
import { changePassword, endKeys, listKeys } from './people/ownAccount.ts';
import { createOwnProfile, type OwnProfile } from './people/ownProfile.ts';
import { createOwnSettings, type OwnSettings } from './people/ownSettings.ts';
import { endSessions, listSessions } from './people/ownSessions.ts';
import { statusTeller } from './people/ownStatus.ts';
import { signOut } from './connection/signOut.ts';
import type { Parts } from './connection/parts.ts';
import type { Retry } from './connection/retry.ts';
import type { Store } from './store.ts';
import { createUnreader, type Unreader } from './unread/unreader.ts';
import type { Account, Failure } from './view.ts';

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
  readonly store: Store;
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
