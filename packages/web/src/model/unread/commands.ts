import type { ServerEvent } from '@engawa/protocol';
import type { ModelContext } from '../context.ts';
import { onDemand } from '../onDemand.ts';
import type { FlaggedMessages } from './flaggedMessages.ts';
import type { Receipts } from './receipts.ts';
import type { UnreadState } from './state.ts';

export type UnreadCommands = FlaggedMessages & Receipts;

export function createUnreadCommands(
  context: ModelContext<UnreadState>,
): UnreadCommands & { readonly onEvents: (events: readonly ServerEvent[]) => void } {
  const flagged = onDemand(
    context,
    () => import('./flaggedMessages.ts'),
    ({ createFlaggedMessages }) => createFlaggedMessages(context),
  );
  const receipts = onDemand(
    context,
    () => import('./receipts.ts'),
    ({ createReceipts }) => createReceipts(context),
  );
  const topics = onDemand(
    context,
    () => import('./topicLoader.ts'),
    ({ createTopicLoader }) => createTopicLoader(context),
  );
  return {
    onEvents(events) {
      for (const event of events) if (event.type === 'user_topic') void topics.use((part) => part.loadTopic(event));
    },
    watchReaders: (messageIds) => void receipts.use((there) => there.watchReaders(messageIds)),
    readersOf: (messageId) => receipts.use((there) => there.readersOf(messageId)),
    showReceipts: (shown) => receipts.use((there) => there.showReceipts(shown)),
    loadFlagged: (...input) => flagged.use((there) => there.loadFlagged(...input)),
    addAlertWord: (word) => flagged.use((there) => there.addAlertWord(word)),
    removeAlertWord: (word) => flagged.use((there) => there.removeAlertWord(word)),
  };
}
