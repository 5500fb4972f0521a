/** Stars messages, for the member alone. */
import { updateMessageFlags, type Connection } from '@engawa/client';
import { starSet } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

export interface Stars {
  /** Returns the failure, if any. */
  star(messageId: number, starred: boolean): Promise<Failure | undefined>;
}

export interface StarsDependencies {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createStars({ connection, store, judge, stop }: StarsDependencies): Stars {
  /** The last call per message. The next one waits for it, because it might overtake it. */
  const starring = new Map<number, Promise<Failure | undefined>>();

  async function tellStar(messageId: number, starred: boolean): Promise<Failure | undefined> {
    try {
      const op = starred ? 'add' : 'remove';
      await updateMessageFlags(connection, { messages: [messageId], op, flag: 'starred' }, { signal: stop });
      return undefined;
    } catch (error) {
      if (stop.aborted) return undefined;
      store.update((state) => starSet(state, messageId, !starred));
      return judge(error);
    }
  }

  return {
    async star(messageId, starred) {
      store.update((state) => starSet(state, messageId, starred));
      const earlier = starring.get(messageId);
      const sending = (async () => {
        await earlier;
        return tellStar(messageId, starred);
      })();
      starring.set(messageId, sending);
      const failure = await sending;
      if (starring.get(messageId) === sending) starring.delete(messageId);
      return failure;
    },
  };
}
