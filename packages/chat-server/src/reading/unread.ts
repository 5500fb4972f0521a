import { type UnreadMessages, maxUnreadListed } from '@engawa/protocol';
import { received, within } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { type MessageRow, messages, topicKey } from '../messages/store.ts';
import { gaps, includes } from './ranges.ts';
import { flagBits, messageFlags, readStates } from './store.ts';

/** What a member has not read of one conversation: ids, ascending. */
export interface UnreadOfConversation {
  readonly conversationId: number;
  readonly isMuted: boolean;
  readonly ids: readonly number[];
}

/**
 * THE rule of what is unread: what a current member received in their current conversations and has not read.
 * Bounded by the member's conversations and, for each, by the newest `maxUnreadListed` messages in its gaps.
 */
export function unread(reader: Reader, userId: number): UnreadOfConversation[] {
  return conversations.currentStays(reader, userId).flatMap((stay) => {
    const ids = unreadIn(reader, userId, stay.conversation_id);
    return ids.length > 0 ? [{ conversationId: stay.conversation_id, isMuted: stay.is_muted === 1, ids }] : [];
  });
}

function unreadIn(reader: Reader, userId: number, conversationId: number): number[] {
  const ranges = readStates.ranges(reader, userId, conversationId);
  const newest = messages.newestId(reader, conversationId);
  const open = received(reader, userId, conversationId)
    .flatMap(({ after, upTo }) => gaps(ranges, after, Math.min(upTo, newest)))
    .toSorted((one, other) => other[0] - one[0]);
  const ids: number[] = [];
  for (const [first, last] of open) {
    const most = maxUnreadListed - ids.length;
    if (most <= 0) break;
    ids.push(...messages.lastIds(reader, everythingIn(conversationId, first - 1, last), most));
  }
  return ids.toReversed();
}

const everythingIn = (conversationId: number, after: number, upTo: number) => ({
  conversation_id: conversationId,
  after,
  up_to: upTo,
  topic_key: null,
  sender_id: null,
  include_deleted: 0,
});

/** `unread` as register answers it. */
export function unreadMessages(reader: Reader, userId: number): UnreadMessages {
  const newest = newestOf(unread(reader, userId));
  const streams = newest.conversations.flatMap(({ conversationId, ids }) => {
    const byTopic = Map.groupBy(messages.places(reader, ids), ({ topic }) => topicKey(topic));
    return [...byTopic.values()].map((places) => ({
      stream_id: conversationId,
      // As it was last written: topics are the same when they differ only in case.
      topic: places.at(-1)?.topic ?? '',
      unread_message_ids: places.map(({ id }) => id),
    }));
  });
  const counted = newest.conversations.filter(({ isMuted }) => !isMuted);
  return {
    count: counted.reduce((sum, { ids }) => sum + ids.length, 0),
    streams,
    pms: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: newest.incomplete,
  };
}

/** The newest `maxUnreadListed` of all conversations together. */
function newestOf(all: readonly UnreadOfConversation[]) {
  const ids = all.flatMap((each) => each.ids).toSorted((one, other) => other - one);
  const oldest = ids[maxUnreadListed - 1];
  if (ids.length <= maxUnreadListed || oldest === undefined) return { conversations: all, incomplete: false };
  return { conversations: all.map((each) => ({ ...each, ids: each.ids.filter((id) => id >= oldest) })), incomplete: true };
}

/** The flags that a member sees on a message that they may read. */
export function flagsOf(reader: Reader, userId: number, message: Pick<MessageRow, 'id' | 'conversation_id'>): string[] {
  const flags: string[] = [];
  const historical = !within(message.id, received(reader, userId, message.conversation_id));
  // What came before a member's stays is history: there to be read, never unread.
  if (historical || includes(readStates.ranges(reader, userId, message.conversation_id), message.id)) flags.push('read');
  const bits = messageFlags.bits(reader, userId, message.id);
  if (bits & flagBits.starred) flags.push('starred');
  if (bits & flagBits.collapsed) flags.push('collapsed');
  if (historical) flags.push('historical');
  return flags;
}
