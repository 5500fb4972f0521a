import {
  type Message,
  type ParametersOut,
  getMessages,
  maxMessagesPerFetch,
  newestAnchor,
} from '@engawa/protocol';
import { conversations } from '../conversations/store.ts';
import type { Database, Reader } from '../database/index.ts';
import { refused } from '../http/errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { flagsSeenBy, unread } from '../reading/unread.ts';
import type { Member } from '../users/member.ts';
import { merge, newestFirst, oldestFirst } from './merge.ts';
import { narrowed } from './narrow.ts';
import { type MessageFilter, messages } from './store.ts';
import { messageView } from './view.ts';

type Asked = ParametersOut<typeof getMessages>;

export function fetchRoute(database: Database): Route {
  return memberRoute(getMessages, (asked, { member }) => {
    if (asked.num_before + asked.num_after > maxMessagesPerFetch) {
      throw refused.because(`Too many messages requested (maximum ${maxMessagesPerFetch}).`);
    }
    if (!asked.include_anchor && asked.num_before > 0 && asked.num_after > 0) {
      throw refused.because('The anchor can only be excluded at an end of the range');
    }
    return database.snapshot((reader) => fetchMessages(reader, member, asked));
  });
}

/** Bounded by `maxMessagesPerFetch` rows, and a page of ids for each of the member's conversations. */
function fetchMessages(reader: Reader, member: Member, asked: Asked) {
  const filters = narrowed(reader, member, asked.narrow, asked.include_deleted);
  const anchor = anchorOf(reader, member, asked, filters);

  const before = lastIds(reader, filters, anchor - 1, asked.num_before);
  const atAnchor = asked.include_anchor ? lastIds(reader, filters, anchor, 1).filter((id) => id === anchor) : [];
  const after = anchor >= newestAnchor ? [] : firstIds(reader, filters, anchor, asked.num_after);

  return {
    anchor,
    found_anchor: atAnchor.length > 0,
    found_oldest: anchor === 0 || before.length < asked.num_before,
    found_newest: anchor >= newestAnchor || after.length < asked.num_after,
    history_limited: false,
    messages: views(reader, member, [...before.toReversed(), ...atAnchor, ...after], asked),
  };
}

function views(reader: Reader, member: Member, ids: readonly number[], { apply_markdown }: Asked): Message[] {
  const flagsOf = flagsSeenBy(reader, member.id);
  return ids.flatMap((id) => {
    const row = messages.withSender(reader, id);
    return row ? [{ ...messageView(row, apply_markdown), flags: flagsOf(row) }] : [];
  });
}

function anchorOf(reader: Reader, member: Member, asked: Asked, filters: readonly MessageFilter[]): number {
  const anchor = asked.use_first_unread_anchor ? 'first_unread' : asked.anchor;
  if (anchor === undefined) throw refused.because("Missing 'anchor' argument.");
  if (anchor === 'newest') return newestAnchor;
  if (anchor === 'oldest') return 0;
  if (anchor === 'first_unread') return firstUnread(reader, member, filters) ?? newestAnchor;
  if (!/^-?\d+$/.test(anchor)) throw refused.because('Invalid anchor');
  return Math.min(Math.max(Number(anchor), 0), newestAnchor);
}

/** Bounded by `maxUnreadListed`. */
function firstUnread(reader: Reader, member: Member, filters: readonly MessageFilter[]): number | undefined {
  const unmuted = unread(reader, member.id).conversations.filter(({ isMuted }) => !isMuted);
  const lowest = filters.flatMap((filter) => {
    const ids = unmuted.find(({ conversationId }) => conversationId === filter.conversation_id)?.ids ?? [];
    return messages.lowestOf(reader, filter, ids) ?? [];
  });
  return lowest.length > 0 ? Math.min(...lowest) : undefined;
}

/** The newest ids not above `upTo`, the newest first. */
function lastIds(reader: Reader, filters: readonly MessageFilter[], upTo: number, most: number): number[] {
  const below = filters.map((filter) => ({ ...filter, up_to: Math.min(filter.up_to, upTo) }));
  return merge(below.map((filter) => messages.idsDown(reader, filter)), newestFirst, most);
}

/** The oldest ids above `after`, the oldest first. */
function firstIds(reader: Reader, filters: readonly MessageFilter[], after: number, most: number): number[] {
  const above = filters.map((filter) => ({ ...filter, after: Math.max(filter.after, after) }));
  return merge(above.map((filter) => messages.idsUp(reader, filter)), oldestFirst, most);
}

/** The newest message that a member received, -1 when there is none. */
export function newestReceivedId(reader: Reader, userId: number): number {
  const newest = conversations
    .currentStays(reader, userId)
    .map((stay) => ({ stay, id: messages.newestId(reader, stay.conversation_id) }))
    .filter(({ stay, id }) => id > stay.began_message)
    .map(({ id }) => id);
  return Math.max(-1, ...newest);
}
