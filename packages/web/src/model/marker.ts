/** Marks messages for the member alone: with a star, and as unread again from one of them on. */
import { getMessages, updateMessageFlags, type Connection } from '@engawa/client';
import type { Message } from '@engawa/protocol';
import { narrowTo, type ConversationKey } from './conversation.ts';
import { starSet, unreadKept } from './reduce.ts';
import type { Store } from './store.ts';
import type { Failure } from './view.ts';

/** Messages per call. */
const batchSize = 1000;
/** As many are looked through at most to make a conversation unread again. */
const farthest = 5000;

export interface Marker {
  /** Answers why it could not be done. */
  star(messageId: number, starred: boolean): Promise<Failure | undefined>;
  /** The message and all that follow in its conversation are unread again. Answers why they are not. */
  unreadFrom(conversation: ConversationKey, messageId: number): Promise<Failure | undefined>;
}

export interface MarkerOptions {
  readonly connection: Connection;
  readonly store: Store;
  /** Sorts a failed call; throws what is none. */
  readonly judge: (error: unknown) => Failure;
  readonly stop: AbortSignal;
}

export function createMarker({ connection, store, judge, stop }: MarkerOptions): Marker {
  /** By message: what was told of its star last. The next waits for it, or it might arrive first. */
  const starring = new Map<number, Promise<Failure | undefined>>();

  async function flag(messages: readonly number[], op: 'add' | 'remove', name: 'starred' | 'read'): Promise<void> {
    await updateMessageFlags(connection, { messages: [...messages], op, flag: name }, { signal: stop });
  }

  /** The newest first, so that where it breaks off, all from some message on are unread, as they are here. */
  async function keepUnread(conversation: ConversationKey, ids: readonly number[]): Promise<Failure | undefined> {
    for (let to = ids.length; to > 0; to -= batchSize) {
      const batch = ids.slice(Math.max(0, to - batchSize), to);
      try {
        await flag(batch, 'remove', 'read');
      } catch (error) {
        if (stop.aborted) return undefined;
        const because = judge(error);
        return to === ids.length ? because : { kind: 'half-done', because };
      }
      store.update((state) => unreadKept(state, conversation, batch));
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
    for (let isAll = foundNewest; !isAll && found.length <= farthest; ) {
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

  async function tellStar(messageId: number, starred: boolean): Promise<Failure | undefined> {
    try {
      await flag([messageId], starred ? 'add' : 'remove', 'starred');
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

    async unreadFrom(conversation, messageId) {
      try {
        const ids = await receivedFrom(conversation, messageId);
        return ids ? await keepUnread(conversation, ids) : { kind: 'too-far', most: farthest };
      } catch (error) {
        return stop.aborted ? undefined : judge(error);
      }
    },
  };
}
