import { getMessages, updateMessageFlags } from '@engawa/client';
import type { Message } from '@engawa/protocol';
import { narrowTo, type ConversationKey } from '../streams/conversation.ts';
import { unreadRequested, unreadAnswered } from '../unread/changes.ts';
import { markedUnread } from './eventChanges.ts';
import type { Failure } from '../connection/failure.ts';
import type { ModelContext } from '../context.ts';
import type { TimelinesState } from './state.ts';

const batchSize = 1000;
const farthest = 5000;

export interface UnreadMarks {
  /** Marks a message and all later ones of its conversation as unread. Returns the failure, if any. */
  unreadFrom(conversation: ConversationKey, messageId: number): Promise<Failure | undefined>;
}

export function createUnreadMarks({ connection, store, judge, stop }: ModelContext<TimelinesState>): UnreadMarks {
  /** Marks the newest first, so that after a failure no read message stands between unread ones. */
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

  /** Ids of a message and all later ones, without the member's own. Loads missing messages. Undefined if there are too many. */
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
