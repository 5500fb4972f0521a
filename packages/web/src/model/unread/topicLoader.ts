import { CallError, getMessages } from '@engawa/client';
import type { EventOf } from '../connection/state.ts';
import type { ModelContext } from '../context.ts';
import { topicLoaded } from './mutedTopics.ts';
import type { UnreadState } from './state.ts';

/** A member rarely has more unread messages in one topic. Others count until the next registration. */
const most = 1000;

export interface TopicLoader {
  /** Finds the unread messages of a topic whose visibility has changed. */
  loadTopic(choice: EventOf<'user_topic'>): Promise<void>;
}

export function createTopicLoader({ connection, store, environment }: ModelContext<UnreadState>): TopicLoader {
  return {
    async loadTopic(choice) {
      try {
        const { messages } = await getMessages(connection, {
          anchor: 'newest',
          num_before: most,
          num_after: 0,
          apply_markdown: false,
          client_gravatar: false,
          narrow: [
            { operator: 'stream', operand: choice.stream_id },
            { operator: 'topic', operand: choice.topic_name },
            { operator: 'is', operand: 'unread' },
          ],
        });
        const ids = messages.map(({ id }) => id);
        store.update((state) => ({ ...state, muted: topicLoaded(state.muted, choice, ids) }));
      } catch (error) {
        if (!(error instanceof CallError)) throw error;
        environment.log('topic_load_failed', error);
      }
    },
  };
}
