import { updateMessageFlags } from '@engawa/client';
import type { ConversationKey } from '../streams/conversation.ts';
import { isRetried } from '../connection/failure.ts';
import { arrivalSeen, readingResumed } from './changes.ts';
import { readingBegan, readingConfirmed, readingRefused } from '../unread/readingChanges.ts';
import { unreadIn } from '../unread/unread.ts';
import type { ModelContext } from '../context.ts';
import type { TimelinesState } from './state.ts';

const batchSize = 1000;

export function createReadMarks({ connection, store, retry, stop }: ModelContext<TimelinesState>) {
  /** Ids that the server refused to mark as read. They are not sent again, because it would refuse them again. */
  const refused = new Set<number>();
  let running = false;

  async function sendAll(): Promise<void> {
    running = true;
    try {
      for (let batch = nextBatch(); batch.length > 0 && !stop.aborted; batch = nextBatch()) await send(batch);
    } finally {
      running = false;
    }
  }

  function nextBatch(): number[] {
    return store.state().reading.values().take(batchSize).toArray();
  }

  async function send(batch: readonly number[]): Promise<void> {
    /** The messages of the batch, without those that the member has marked as unread meanwhile. */
    const left = () => batch.filter((id) => store.state().reading.has(id));
    const isMarked = await retry.until(async () => {
      const messages = left();
      if (messages.length > 0) await updateMessageFlags(connection, { messages, op: 'add', flag: 'read' }, { signal: stop });
      return true;
    }, isRetried);
    if (stop.aborted) return;
    const messages = left();
    if (isMarked) store.update((state) => readingConfirmed(state, messages));
    else {
      messages.forEach((id) => refused.add(id));
      store.update((state) => readingRefused(state, messages));
    }
  }

  function mark(conversation: ConversationKey, shown?: readonly number[]): void {
    const { unread, reading } = store.state();
    const left = unreadIn(unread, conversation).difference(reading).difference(refused);
    const ids = shown ? left.intersection(new Set(shown)) : left;
    if (ids.size === 0) return;
    store.update((state) => readingBegan(state, ids));
    if (!running) void sendAll();
  }

  return {
    /** Moves the unread divider above the messages that arrived meanwhile, and marks all messages as read. */
    resume(conversation: ConversationKey): void {
      store.update((state) => readingResumed(state, conversation));
      mark(conversation);
    },

    markRead(conversation: ConversationKey): void {
      store.update((state) => arrivalSeen(state, conversation));
      mark(conversation);
    },

    /** Marks only those messages as read that were on the screen while the member scrolled to the newest. */
    markShown(conversation: ConversationKey, messageIds: readonly number[]): void {
      const { arrivedSince } = store.state().timelines.get(conversation) ?? {};
      if (arrivedSince !== undefined && messageIds.includes(arrivedSince)) {
        store.update((state) => readingResumed(state, conversation));
      }
      mark(conversation, messageIds);
    },
  };
}
