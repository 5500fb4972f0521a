import { type UnreadMessages, maxUnreadListed, topicKey } from '@engawa/protocol';
import { type Span, contains, received, receivedIn, within } from '../conversations/access.ts';
import { type MembershipRow, type Period, memberships } from '../conversations/memberships.ts';
import { conversations } from '../conversations/store.ts';
import type { Reader } from '../database/index.ts';
import type { StepClock, Steps } from '../turns.ts';
import { remembered } from '../events/batch.ts';
import { type MessageHeader, featureBits, messageHeaders } from '../conversations/messageHeaders.ts';
import { topicVisibility } from '../conversations/userTopics.ts';
import { merge, newestFirst } from '../conversations/merge.ts';
import { type OwnRanges, ownMessages } from './ownMessages.ts';
import { type ReadRanges, difference, gaps } from './ranges.ts';
import { type IsRead, flagBits, messageFlags, readStates } from './store.ts';

interface UnreadId {
  readonly id: number;
  readonly conversationId: number;
}

interface Unread {
  readonly conversations: readonly UnreadOfConversation[];
  readonly incomplete: boolean;
}

interface UnreadOfConversation {
  readonly conversationId: number;
  readonly isMuted: boolean;
  readonly ids: readonly number[];
}

/** Numbers in the lists and their keys. Some 20 MB, with the topics. */
const mostShared = 500_000;
/** The memory of an entry without its numbers, as a count of numbers. */
const entrySize = 20;

/**
 * Lists of unread messages. Members who return together have often read a conversation up to the same message, and then
 * share its list. Lists that were made for a span stay valid until a message changes: new messages have ids after the span.
 */
export class SharedUnread {
  #version = 0;
  #count = 0;
  readonly #ids = new Map<string, readonly number[]>();
  readonly #topics = new WeakMap<readonly number[], UnreadMessages['streams']>();

  /** @returns the unread ids in ascending order, at most the newest `maxUnreadListed` and one more. */
  *idsIn(reader: Reader, conversationId: number, spans: readonly Span[], clock: StepClock): Steps<readonly number[]> {
    const version = messageHeaders.version(reader);
    this.#forgetUnless(version);
    const key = `${conversationId} ${spans.map(({ after, upTo }) => `${after} ${upTo}`).join()}`;
    const known = this.#ids.get(key);
    if (known) return known;
    const newest: number[] = [];
    for (const id of idsIn(reader, conversationId, spans).take(maxUnreadListed + 1)) {
      newest.push(id);
      yield* clock.pause();
    }
    const ids = newest.toReversed();
    // In a pause, another registration may have seen a later version.
    if (this.#version === version) {
      this.#ids.set(key, ids);
      this.#count += ids.length + 2 * spans.length + entrySize;
    }
    return ids;
  }

  /** @param ids a list of `idsIn`. */
  topicsOf(reader: Reader, streamId: number, ids: readonly number[]): UnreadMessages['streams'] {
    return remembered(this.#topics, ids, () => unreadByTopic(reader, streamId, ids));
  }

  #forgetUnless(version: number): void {
    if (this.#version === version && this.#count < mostShared) return;
    this.#version = version;
    this.#count = 0;
    this.#ids.clear();
  }
}

/** THE rule of what is unread: received in a current conversation and not read. Only the newest `maxUnreadListed` are listed. */
function* unread(reader: Reader, userId: number, clock: StepClock, shared: SharedUnread): Steps<Unread> {
  const stays = memberships.currentOf(reader, userId);
  const own = ownMessages.recent(reader, userId);
  const listed: UnreadOfConversation[] = [];
  let count = 0;
  for (const { conversation_id: conversationId, is_muted } of stays) {
    const ids = yield* shared.idsIn(reader, conversationId, unreadSpans(reader, userId, conversationId, own), clock);
    count += ids.length;
    if (count > maxUnreadListed) return yield* newestUnread(reader, userId, stays, own, clock);
    if (ids.length > 0) listed.push({ conversationId, isMuted: is_muted === 1, ids });
    yield* clock.pause();
  }
  return { conversations: listed, incomplete: false };
}

/** Of a member who has more than are listed. */
function* newestUnread(
  reader: Reader,
  userId: number,
  stays: readonly MembershipRow[],
  own: OwnRanges,
  clock: StepClock,
): Steps<Unread> {
  const sources: Iterator<UnreadId>[] = [];
  for (const { conversation_id: conversationId } of stays) {
    const spans = unreadSpans(reader, userId, conversationId, own);
    const ids = idsIn(reader, conversationId, spans).map((id) => ({ id, conversationId }));
    // The first id is looked up here, because `merge` would look up those of all conversations in one step.
    const first = ids.next();
    if (!first.done) sources.push(beginningWith(first.value, ids));
    yield* clock.pause();
  }
  const newest: UnreadId[] = [];
  for (const each of merge(sources, (one, other) => newestFirst(one.id, other.id)).take(maxUnreadListed + 1)) {
    newest.push(each);
    yield* clock.pause();
  }
  const listed = newest.slice(0, maxUnreadListed).toReversed();
  const byConversation = Map.groupBy(listed, ({ conversationId }) => conversationId);
  return {
    conversations: stays.flatMap(({ conversation_id: conversationId, is_muted }): UnreadOfConversation[] => {
      const unreadHere = byConversation.get(conversationId);
      return unreadHere ? [{ conversationId, isMuted: is_muted === 1, ids: unreadHere.map(({ id }) => id) }] : [];
    }),
    incomplete: newest.length > maxUnreadListed,
  };
}

function* beginningWith<Value>(first: Value, rest: IteratorObject<Value>): Generator<Value, void> {
  yield first;
  yield* rest;
}

/** The newest message comes first. */
function* idsIn(reader: Reader, conversationId: number, spans: readonly Span[]): Generator<number, void> {
  for (const span of spans.toReversed()) yield* messageHeaders.idsDown(reader, conversationId, span);
}

export function unreadIdsIn(reader: Reader, userId: number, conversationId: number, most: number): number[] {
  const spans = unreadSpans(reader, userId, conversationId);
  return idsIn(reader, conversationId, spans).take(most).toArray().toReversed();
}

export function* unreadIdsInSteps(
  reader: Reader,
  userId: number,
  conversationId: number,
  most: number,
  clock: StepClock,
): Steps<number[]> {
  const ids: number[] = [];
  for (const id of idsIn(reader, conversationId, unreadSpans(reader, userId, conversationId)).take(most)) {
    ids.push(id);
    yield* clock.pause();
  }
  return ids.toReversed();
}

/** The newest `maxUnreadListed`. */
export function* allUnreadIds(reader: Reader, userId: number, clock: StepClock): Steps<{ ids: number[]; incomplete: boolean }> {
  const { conversations: unreadConversations, incomplete } = yield* unread(reader, userId, clock, new SharedUnread());
  return { ids: unreadConversations.flatMap(({ ids }) => ids), incomplete };
}

/** @param own for several conversations of the user, look it up once. */
export function unreadSpans(
  reader: Reader,
  userId: number,
  conversationId: number,
  own: OwnRanges = ownMessages.recent(reader, userId),
): Span[] {
  const ranges = readStates.ranges(reader, userId, conversationId);
  const newest = messageHeaders.newestId(reader, conversationId);
  return received(reader, userId, conversationId)
    .flatMap(({ after, upTo }) => unreadRanges(ranges, own.get(conversationId), { after, upTo: Math.min(upTo, newest) }))
    .map(([first, last]) => ({ after: first - 1, upTo: last }));
}

/** The parts of a span that the member has not read. @param ranges all that belong to the span. */
const unreadRanges = (ranges: ReadRanges, own: ReadRanges | undefined, { after, upTo }: Span): ReadRanges =>
  difference(gaps(ranges, after, upTo), own ?? []);

export function hasReadAll(reader: Reader, userId: number, conversationId: number, span: Span, own: OwnRanges): boolean {
  const ranges = readStates.ranges(reader, userId, conversationId, span);
  return unreadRanges(ranges, own.get(conversationId), span).length === 0;
}

export function* unreadMessages(
  reader: Reader,
  userId: number,
  clock: StepClock,
  shared = new SharedUnread(),
): Steps<UnreadMessages> {
  yield* clock.pause();
  const { conversations: unreadConversations, incomplete } = yield* unread(reader, userId, clock, shared);
  const places: Pick<UnreadMessages, 'streams' | 'pms' | 'huddles'> = { streams: [], pms: [], huddles: [] };
  const visibility = topicVisibility(reader, userId);
  let count = 0;
  for (const { conversationId, isMuted, ids } of unreadConversations) {
    const participants = conversations.participants(reader, conversationId);
    if (participants) count += isMuted ? 0 : ids.length;
    if (!participants) {
      const topics = shared.topicsOf(reader, conversationId, ids);
      const counted = topics.filter(({ topic }) => !visibility.isMuted(conversationId, topicKey(topic), isMuted));
      count += counted.reduce((sum, { unread_message_ids }) => sum + unread_message_ids.length, 0);
      places.streams.push(...topics);
    } else if (participants.length > 2) {
      places.huddles.push({ user_ids_string: participants.join(), unread_message_ids: [...ids] });
    } else {
      const other = participants.find((id) => id !== userId) ?? userId;
      places.pms.push({ other_user_id: other, sender_id: other, unread_message_ids: [...ids] });
    }
    yield* clock.pause();
  }
  return {
    count,
    ...places,
    mentions: mentionsAmong(reader, userId, unreadConversations),
    old_unreads_missing: incomplete,
  };
}

function mentionsAmong(reader: Reader, userId: number, places: readonly UnreadOfConversation[]): number[] {
  if (places.length === 0) return [];
  const spans = places.map(({ conversationId, ids }) => {
    return { conversationId, after: (ids[0] ?? 0) - 1, upTo: ids.at(-1) ?? 0 };
  });
  const oldest = Math.min(...spans.map(({ after }) => after + 1));
  const called = new Set([
    ...messageFlags.mentionedIn(reader, userId, oldest, maxUnreadListed),
    ...spans.flatMap(({ conversationId, after, upTo }) =>
      messageHeaders.mentioningAll(reader, conversationId, after, upTo, maxUnreadListed),
    ),
  ]);
  return places.flatMap(({ ids }) => ids.filter((id) => called.has(id))).toSorted((one, other) => one - other);
}

function unreadByTopic(reader: Reader, streamId: number, ids: readonly number[]): UnreadMessages['streams'] {
  return messageHeaders
    .byTopic(reader, streamId, ids)
    .map(({ topic, ids: unread_message_ids }) => ({ stream_id: streamId, topic, unread_message_ids }));
}

/** The returned function looks up each conversation once. @param bits the member's `flagBits` of the message, if known. */
export function flagsSeenBy(reader: Reader, userId: number) {
  const conversations = new Map<number, { readonly received: readonly Span[]; readonly reads: IsRead }>();
  return (message: Flagged & { readonly bits?: number }): readonly string[] => {
    const { conversation_id: conversationId, id } = message;
    const state = remembered(conversations, conversationId, () => ({
      received: received(reader, userId, conversationId),
      reads: readStates.readsOf(reader, conversationId, [userId]),
    }));
    const isRead = state.reads(userId, message);
    return flagsIn(message, state.received, isRead, message.bits ?? messageFlags.bits(reader, userId, id));
  };
}

export type Flagged = Pick<MessageHeader, 'id' | 'conversation_id' | 'sender_id' | 'features' | 'read_by_sender'>;

export function flagsOf(message: Flagged, stays: readonly Period[], isRead: boolean, bits: number): readonly string[] {
  return flagsIn(message, receivedIn(stays), isRead, bits);
}

/** The flags of all messages from `first` to `last`, without stored flags and mentions of everyone; undefined if they differ. */
export function flagsOfAll(
  first: number,
  last: number,
  stays: readonly Period[],
  areRead: boolean,
): readonly string[] | undefined {
  return contains(receivedIn(stays), first, last) ? flagList(0, areRead, false, false) : undefined;
}

/** The lists of flags that were returned. There are at most 128. */
const flagLists = new Map<number, readonly string[]>();

function flagsIn({ id, features }: Flagged, spans: readonly Span[], isRead: boolean, bits: number): readonly string[] {
  const historical = !within(id, spans);
  return flagList(bits, isRead, historical, Boolean(features & featureBits.mentionsAll));
}

function flagList(bits: number, isRead: boolean, historical: boolean, mentionsAll: boolean): readonly string[] {
  const key = 8 * bits + 4 * Number(isRead) + 2 * Number(historical) + Number(mentionsAll);
  return remembered(flagLists, key, () => flagNames({ bits, isRead, historical, mentionsAll }));
}

interface FlagState {
  readonly bits: number;
  readonly isRead: boolean;
  readonly historical: boolean;
  readonly mentionsAll: boolean;
}

function flagNames({ bits, isRead, historical, mentionsAll }: FlagState): readonly string[] {
  const flags: string[] = [];
  // Messages from before the member joined always count as read.
  if (historical || isRead) flags.push('read');
  if (bits & flagBits.starred) flags.push('starred');
  if (bits & flagBits.collapsed) flags.push('collapsed');
  if (bits & flagBits.mentioned) flags.push('mentioned');
  if (mentionsAll && !historical) {
    flags.push('wildcard_mentioned', 'stream_wildcard_mentioned');
  }
  if (bits & flagBits.has_alert_word) flags.push('has_alert_word');
  if (historical) flags.push('historical');
  return flags;
}
