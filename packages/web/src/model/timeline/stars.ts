import { updateMessageFlags } from '@engawa/client';
import { starSet } from './eventChanges.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import type { TimelinesState } from './state.ts';

export function createStars({ connection, store, judge, stop }: ModelContext<TimelinesState>) {
  /** The last call for each message. The next one waits for it, because the server might receive them in another order. */
  const starring = new Map<number, Promise<Failure | undefined>>();

  async function send(messageId: number, starred: boolean): Promise<Failure | undefined> {
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
    async star(messageId: number, starred: boolean): Promise<Failure | undefined> {
      store.update((state) => starSet(state, messageId, starred));
      const earlier = starring.get(messageId);
      const sending = (async () => {
        await earlier;
        return send(messageId, starred);
      })();
      starring.set(messageId, sending);
      const failure = await sending;
      if (starring.get(messageId) === sending) starring.delete(messageId);
      return failure;
    },
  };
}
