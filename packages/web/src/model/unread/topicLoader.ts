import { getMessages } from '@engawa/client';
import type { EventOf } from '../connection/state.ts';
import type { ModelContext } from '../context.ts';
import { topicLoaded } from './mutedTopics.ts';
import type { UnreadState } from './state.ts';
import { unreadIn } from './unread.ts';

/** A member rarely has more unread messages in one topic. Others count until the next registration. */
const most = 1000;

export interface TopicLoader {
  /** Finds the unread messages of a topic whose visibility has changed. */
  loadTopic(choice: EventOf<'user_topic'>): Promise<void>;
}

export function createTopicLoader({ connection, store, environment, attempt, stop }: ModelContext<UnreadState>): TopicLoader {
  const unreadNow = (streamId: number) => unreadIn(store.state().unread, streamId);
  return {
    async loadTopic(choice) {
      const { stream_id: streamId, topic_name: topic } = choice;
      // A stream that the member has lost has none.
      if (unreadNow(streamId).size === 0) return;
      const parameters = {
        anchor: 'newest',
        num_before: most,
        num_after: 0,
        apply_markdown: false,
        client_gravatar: false,
        narrow: [
          { operator: 'stream', operand: streamId },
          { operator: 'topic', operand: topic },
          { operator: 'is', operand: 'unread' },
        ],
      };
      const found = await attempt(() => getMessages(connection, parameters, { signal: stop }));
      if (stop.aborted) return;
      if ('kind' in found) {
        environment.log('topic_load_failed', found);
        return;
      }
      // Some may have been read meanwhile.
      const ids = found.messages.map(({ id }) => id).filter((id) => unreadNow(streamId).has(id));
      store.update((state) => ({ ...state, muted: topicLoaded(state.muted, choice, ids) }));
    },
  };
}
