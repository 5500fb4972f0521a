/** Stars messages, for the member alone. */
import { updateMessageFlags, type Connection } from '@engawa/client';
import { starSet } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

export interface Marker {
  /** Returns the failure, if any. */
  star(messageId: number, starred: boolean): Promise<Failure | undefined>;
}

export interface MarkerOptions {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createMarker({ connection, store, judge, stop }: MarkerOptions): Marker {
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
      const told = (async () => {
        await earlier;
        return tellStar(messageId, starred);
      })();
      starring.set(messageId, told);
      const failure = await told;
      if (starring.get(messageId) === told) starring.delete(messageId);
      return failure;
    },
  };
}
