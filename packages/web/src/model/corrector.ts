/** Corrects and deletes messages on the server, for everyone, and asks what they said before (R4.9). */
import { deleteMessage, editMessage, getMessage, getMessageHistory, type Connection } from '@engawa/client';
import type { Clock } from '@engawa/client';
import { messageCorrected, messageRemoved } from './reduce.ts';
import type { Store } from './store.ts';
import type { Failure, Version } from './view.ts';

export interface Corrector {
  /** Answers why it was not corrected. */
  edit(messageId: number, content: string): Promise<Failure | undefined>;
  /** Answers why it was not deleted. */
  remove(messageId: number): Promise<Failure | undefined>;
  /** What it has said, the newest first. */
  history(messageId: number): Promise<readonly Version[] | Failure>;
}

export interface CorrectorOptions {
  readonly connection: Connection;
  readonly store: Store;
  readonly clock: Clock;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createCorrector({ connection, store, clock, judge, stop }: CorrectorOptions): Corrector {
  /** Where nobody can say so, it is. */
  async function isThere(messageId: number): Promise<boolean> {
    try {
      await getMessage(connection, { message_id: messageId, apply_markdown: false }, { signal: stop });
      return true;
    } catch (error) {
      return stop.aborted || judge(error).kind !== 'refused';
    }
  }

  return {
    async edit(messageId, content) {
      try {
        await editMessage(connection, { message_id: messageId, content }, { signal: stop });
      } catch (error) {
        return stop.aborted ? undefined : judge(error);
      }
      const now = Math.floor(clock.now() / 1000);
      store.update((state) => messageCorrected(state, messageId, content.trimEnd(), now));
      return undefined;
    },

    async remove(messageId) {
      try {
        await deleteMessage(connection, { message_id: messageId }, { signal: stop });
      } catch (error) {
        if (stop.aborted) return undefined;
        const failure = judge(error);
        // That somebody else was faster is no failure: what was wanted is so.
        if (failure.kind !== 'refused' || (await isThere(messageId))) return failure;
      }
      store.update((state) => messageRemoved(state, messageId));
      return undefined;
    },

    async history(messageId) {
      try {
        const { message_history } = await getMessageHistory(connection, { message_id: messageId }, { signal: stop });
        // A change of nothing but the topic is no other version of what was said.
        return message_history
          .filter(({ prev_topic, prev_content }) => prev_topic === undefined || prev_content !== undefined)
          .map(({ content, timestamp }) => ({ content, timestamp }))
          .toReversed();
      } catch (error) {
        return judge(error);
      }
    },
  };
}
