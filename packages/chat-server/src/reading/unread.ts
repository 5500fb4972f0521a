import { type UnreadMessages, maxUnreadListed } from '@engawa/protocol';
import { type Span, received, within } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import { merge, newestFirst } from '../messages/merge.ts';
import { type MessageRow, messages, topicKey } from '../messages/store.ts';
import { type ReadRanges, gaps, includes } from './ranges.ts';
import { flagBits, messageFlags, readStates } from './store.ts';

/** What a member has not read of one conversation: ids, ascending. */
export interface UnreadOfConversation {
  readonly conversationId: number;
  readonly isMuted: boolean;
  readonly ids: readonly number[];
}

/**
 * THE rule of what is unread: what a current member received in their current conversations and has not read; of all
 * that the newest `maxUnreadListed`, which also bounds the work.
 */
export function unread(reader: Reader, userId: number) {
  const stays = conversations.currentStays(reader, userId);
  const conversationOf = new Map<number, number>();
  const sources = stays.map((stay) => unreadIn(reader, userId, stay.conversation_id, conversationOf));
  const newest = merge(sources, newestFirst, maxUnreadListed + 1);
  const listed = newest.slice(0, maxUnreadListed).toReversed();
  const ids = Map.groupBy(listed, (id) => conversationOf.get(id));
  return {
    conversations: stays.flatMap(({ conversation_id: conversationId, is_muted }): UnreadOfConversation[] => {
      const own = ids.get(conversationId);
      return own ? [{ conversationId, isMuted: is_muted === 1, ids: own }] : [];
    }),
    /** There are older ones. */
    incomplete: newest.length > maxUnreadListed,
  };
}

/** The newest first. */
function* unreadIn(
  reader: Reader,
  userId: number,
  conversationId: number,
  conversationOf: Map<number, number>,
): Generator<number, undefined> {
  const ranges = readStates.ranges(reader, userId, conversationId);
  const newest = messages.newestId(reader, conversationId);
  const open = received(reader, userId, conversationId)
    .flatMap(({ after, upTo }) => gaps(ranges, after, Math.min(upTo, newest)))
    .toSorted((one, other) => other[0] - one[0]);
  for (const [first, last] of open) {
    for (const id of messages.idsDown(reader, everythingIn(conversationId, first - 1, last))) {
      conversationOf.set(id, conversationId);
      yield id;
    }
  }
  return undefined;
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
  const { conversations: unreadConversations, incomplete } = unread(reader, userId);
  const streams = unreadConversations.flatMap(({ conversationId, ids }) => {
    const byTopic = Map.groupBy(messages.places(reader, ids), ({ topic }) => topicKey(topic));
    return [...byTopic.values()].map((places) => ({
      stream_id: conversationId,
      // As it was last written: topics are the same when they differ only in case.
      topic: places.at(-1)?.topic ?? '',
      unread_message_ids: places.map(({ id }) => id),
    }));
  });
  const counted = unreadConversations.filter(({ isMuted }) => !isMuted);
  return {
    count: counted.reduce((sum, { ids }) => sum + ids.length, 0),
    streams,
    pms: [],
    huddles: [],
    mentions: [],
    old_unreads_missing: incomplete,
  };
}

/**
 * The flags that a member sees on a message that they may read. What a conversation needs is looked up once, so ask
 * one of these for all messages of a call.
 */
export function flagsSeenBy(reader: Reader, userId: number) {
  const conversations = new Map<number, ReadState>();
  return (message: Pick<MessageRow, 'id' | 'conversation_id'>): string[] => {
    const { conversation_id: conversationId, id } = message;
    const state = conversations.get(conversationId) ?? readStateOf(reader, userId, conversationId);
    conversations.set(conversationId, state);
    const flags: string[] = [];
    const historical = !within(id, state.received);
    // What came before a member's stays is history: there to be read, never unread.
    if (historical || includes(state.ranges, id)) flags.push('read');
    const bits = messageFlags.bits(reader, userId, id);
    if (bits & flagBits.starred) flags.push('starred');
    if (bits & flagBits.collapsed) flags.push('collapsed');
    if (historical) flags.push('historical');
    return flags;
  };
}

interface ReadState {
  readonly received: readonly Span[];
  readonly ranges: ReadRanges;
}

function readStateOf(reader: Reader, userId: number, conversationId: number): ReadState {
  return {
    received: received(reader, userId, conversationId),
    ranges: readStates.ranges(reader, userId, conversationId),
  };
}
