import {
  type WritableFlag,
  maxMessagesPerFlagCall,
  maxReadIdsOnLeaving,
  updateMessageFlags,
  writableFlags,
} from '@engawa/protocol';
import { isMember, received, within } from '../conversations/access.ts';
import { conversations } from '../conversations/store.ts';
import type { Database, Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { type MessageHeader, readableHeaders, featureBits, messageHeaders } from '../conversations/messageHeaders.ts';
import type { Member } from '../identity/member.ts';
import { memberNow } from '../identity/currentMember.ts';
import { type Steps, slicesOf } from '../turns.ts';
import { ownMessages } from './ownMessages.ts';
import { type Range, difference, union } from './ranges.ts';
import { type StoredFlag, flagBits, messageFlags, readStates } from './store.ts';
import { unreadIdsIn } from './unread.ts';

type Operation = 'add' | 'remove';

export function flagRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(updateMessageFlags, async ({ messages: ids, op, flag }, { member, takeTurns }) => {
      const change = flagOperation(op, flag);
      if (ids.length > maxMessagesPerFlagCall) {
        throw refused.because(`Too many messages in one call (limit: ${maxMessagesPerFlagCall}).`);
      }
      if (change.flag !== 'read') {
        await takeTurns(() => database.longSnapshot((reader) => refuseUnreadable(reader, memberNow(reader, member), ids)));
      }
      const { ignored } = await changeFlag(database, log, member, { ...change, messages: ids });
      return { messages: ids, ignored_because_not_subscribed_channels: ignored };
    }),
  ];
}

/** @throws ChatError for an unknown operation and for a flag that members cannot change. */
export function flagOperation(op: string, flag: string): Pick<FlagChange, 'op' | 'flag'> {
  const writable = writableFlags.find((each) => each === flag);
  if (!writable) {
    throw refused.because(visibleFlags.has(flag) ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`);
  }
  if (op !== 'add' && op !== 'remove') throw refused.because(`Invalid message flag operation: '${op}'`);
  return { op, flag: writable };
}

const visibleFlags = new Set([
  'mentioned',
  'wildcard_mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'has_alert_word',
  'historical',
]);

function* refuseUnreadable(reader: Reader, member: Member, ids: readonly number[]): Steps<void> {
  for (const some of slicesOf(ids)) {
    if (readableHeaders(reader, member, some).length < new Set(some).size) throw refused.invalidMessages();
    yield;
  }
}

interface ChangedFlags {
  readonly changed: readonly number[];
  /** The ids of streams that the member has left: their messages cannot become unread. */
  readonly ignored: number[];
}

/**
 * Changes the flag of those of the messages that the member may read. If they are many, each transaction changes some of them and
 * publishes its own event, so that other changes do not wait for all.
 */
export async function changeFlag(
  database: Database,
  log: EventLog,
  member: Member,
  { messages, ...change }: FlagChange,
): Promise<ChangedFlags> {
  const changed: number[] = [];
  const ignored = new Set<number>();
  const ids = [...new Set(messages)].toSorted((one, other) => one - other);
  for (const some of slicesOf(ids)) {
    const part = await database.write((tx) => changeTogether(tx, log, memberNow(tx, member), { ...change, messages: some }));
    changed.push(...part.changed);
    for (const streamId of part.ignored) ignored.add(streamId);
  }
  return { changed, ignored: [...ignored] };
}

function changeTogether(tx: Transaction, log: EventLog, member: Member, { op, flag, messages: ids }: FlagChange): ChangedFlags {
  const readable = readableHeaders(tx, member, ids);
  const ignored = flag === 'read' && op === 'remove' ? notSubscribed(tx, member, readable) : new Set<number>();
  const changing = readable.filter((header) => !ignored.has(header.conversation_id));
  const changed = flag === 'read' ? changeRead(tx, member, op, changing) : changeBit(tx, member, op, flag, changing);
  const message_details = flag === 'read' && op === 'remove' ? detailsOf(tx, member, readable, changed) : undefined;
  publish(tx, log, member.id, { op, flag, messages: changed, message_details });
  return { changed, ignored: [...ignored] };
}

interface FlagChange {
  readonly op: Operation;
  readonly flag: WritableFlag;
  readonly messages: readonly number[];
  readonly message_details?: Record<string, unknown> | undefined;
}

function publish(tx: Transaction, log: EventLog, userId: number, { op, flag, messages, message_details }: FlagChange): void {
  const payload = { op, operation: op, flag, messages, all: false, message_details };
  log.append(tx, { type: 'update_message_flags', reach: 'self', reachId: userId, payload });
}

export function markConversationRead(tx: Transaction, log: EventLog, userId: number, conversationId: number): void {
  const ids = unreadIdsIn(tx, userId, conversationId, maxReadIdsOnLeaving);
  if (ids.length === 0) return;
  const everything: Range = [1, messageHeaders.newestId(tx, conversationId)];
  readStates.change(tx, userId, conversationId, [everything], union);
  publish(tx, log, userId, { op: 'add', flag: 'read', messages: ids });
}

function notSubscribed(tx: Transaction, member: Member, headers: readonly MessageHeader[]): ReadonlySet<number> {
  const conversationIds = new Set(headers.map((header) => header.conversation_id));
  return new Set([...conversationIds].filter((conversationId) => !isMember(tx, conversationId, member.id)));
}

/** The conversations of messages that became unread, because some clients have not loaded these messages. */
function detailsOf(tx: Transaction, member: Member, headers: readonly MessageHeader[], ids: readonly number[]) {
  const wanted = new Set(ids);
  const byConversation = Map.groupBy(
    headers.filter(({ id }) => wanted.has(id)),
    (header) => header.conversation_id,
  );
  const details = [...byConversation].flatMap(([conversationId, ofConversation]) => {
    const participants = conversations.participants(tx, conversationId);
    return ofConversation.map((header) => [
      header.id,
      {
        ...(participants
          ? { type: 'private', user_ids: participants.filter((userId) => userId !== member.id) }
          : { type: 'stream', stream_id: conversationId, topic: header.topic }),
        ...(mentionsMember(tx, member, header) ? { mentioned: true } : {}),
      },
    ]);
  });
  return Object.fromEntries(details);
}

function mentionsMember(reader: Reader, member: Member, { id, features }: MessageHeader): boolean {
  if (features & featureBits.mentionsAll) return true;
  return (messageFlags.bits(reader, member.id, id) & flagBits.mentioned) !== 0;
}

function changeRead(tx: Transaction, member: Member, op: Operation, headers: readonly MessageHeader[]): number[] {
  const changed: number[] = [];
  for (const [conversationId, ofConversation] of Map.groupBy(headers, (header) => header.conversation_id)) {
    const spans = received(tx, member.id, conversationId);
    const isRead = readStates.readsOf(tx, conversationId, [member.id]);
    // Messages from before the member joined always count as read, so the flag `read` does not change on them.
    const changing = ofConversation.filter((header) => within(header.id, spans) && isRead(member.id, header) !== (op === 'add'));
    const ids = changing.map(({ id }) => id);
    const owned = ids.map((id) => ownedRange(tx, conversationId, id));
    if (op === 'remove') ownMessages.markUnread(tx, member.id, changing);
    readStates.change(tx, member.id, conversationId, owned, op === 'add' ? union : difference);
    changed.push(...ids);
  }
  return changed;
}

/** Extends the id of a message over preceding ids of other conversations, so that neighbouring messages form one range. */
export function ownedRange(tx: Transaction, conversationId: number, id: number): Range {
  return [messageHeaders.previousId(tx, conversationId, id) + 1, id];
}

function changeBit(tx: Transaction, member: Member, op: Operation, flag: StoredFlag, headers: readonly MessageHeader[]) {
  return headers.flatMap(({ id }) => {
    const bits = messageFlags.bits(tx, member.id, id);
    const wanted = op === 'add' ? bits | flagBits[flag] : bits & ~flagBits[flag];
    if (wanted === bits) return [];
    messageFlags.put(tx, member.id, id, wanted);
    return [id];
  });
}

const mostStarred = 10_000;

export function starredMessages(reader: Reader, member: Member): number[] {
  return readableHeaders(reader, member, messageFlags.starred(reader, member.id, mostStarred)).map(({ id }) => id);
}
