/** Makes messages unread again from one of them on, for the member alone. Fetched on demand. */
import { getMessages, updateMessageFlags, type Connection } from '@engawa/client';
import type { Message } from '@engawa/protocol';
import { narrowTo, type ConversationKey } from '../streams/conversation.ts';
import { unreadRequested, unreadAnswered } from '../unread/changes.ts';
import { markedUnread } from './changes.ts';
import type { Store } from '../store.ts';
import type { Failure } from '../connection/failure.ts';
import type { TimelinesState } from './state.ts';

/** Messages per call. */
const batchSize = 1000;
/** As many are looked through at most to make a conversation unread again. */
const farthest = 5000;

export interface Unreader {
  /** The message and all that follow in its conversation are unread again. Answers why they are not. */
  unreadFrom(conversation: ConversationKey, messageId: number): Promise<Failure | undefined>;
}

export interface UnreaderOptions {
  readonly connection: Connection;
  readonly store: Store<TimelinesState>;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createUnreader({ connection, store, judge, stop }: UnreaderOptions): Unreader {
  /** The newest first, so that where it breaks off, all from some message on are unread, as they are here. */
  async function keepUnread(conversation: ConversationKey, ids: readonly number[]): Promise<Failure | undefined> {
    for (let to = ids.length; to > 0; to -= batchSize) {
      const batch = ids.slice(Math.max(0, to - batchSize), to);
      try {
        await updateMessageFlags(connection, { messages: [...batch], op: 'remove', flag: 'read' }, { signal: stop });
      } catch (error) {
        if (stop.aborted) return undefined;
        const because = judge(error);
        return to === ids.length ? because : { kind: 'half-done', because };
      }
      store.update((state) => markedUnread(state, conversation, batch));
    }
    return undefined;
  }

  /**
   * What others have written from the message on: as far as it is there, and what is not there is asked for. Undefined
   * where that is too much.
   */
  async function receivedFrom(conversation: ConversationKey, messageId: number): Promise<readonly number[] | undefined> {
    const { timelines, memberId } = store.state();
    const { messages = [], foundNewest = false } = timelines.get(conversation) ?? {};
    const found: Message[] = messages.filter(({ id }) => id >= messageId);
    for (let isAll = foundNewest; !isAll && found.length <= farthest;) {
      const last = found.at(-1)?.id ?? messageId;
      const page = await getMessages(
        connection,
        {
          anchor: String(last),
          num_before: 0,
          num_after: batchSize,
          include_anchor: false,
          apply_markdown: false,
          client_gravatar: false,
          narrow: [narrowTo(store.state(), conversation)],
        },
        { signal: stop },
      );
      found.push(...page.messages);
      isAll = page.found_newest || page.messages.length === 0;
    }
    if (found.length > farthest) return undefined;
    return found.filter(({ sender_id, deleted }) => sender_id !== memberId && !deleted).map(({ id }) => id);
  }

  return {
    async unreadFrom(conversation, messageId) {
      store.update((state) => unreadRequested(state, conversation, messageId));
      try {
        const ids = await receivedFrom(conversation, messageId);
        return ids ? await keepUnread(conversation, ids) : { kind: 'too-far', most: farthest };
      } catch (error) {
        return stop.aborted ? undefined : judge(error);
      } finally {
        store.update((state) => unreadAnswered(state, conversation));
      }
    },
  };
}
