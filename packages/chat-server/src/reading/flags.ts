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
import { type Range, difference, union } from './ranges.ts';
import { type StoredFlag, flagBits, messageFlags, readStates } from './store.ts';
import { unreadIdsIn } from './unread.ts';

type Operation = 'add' | 'remove';

export function flagRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(updateMessageFlags, async ({ messages: ids, op, flag }, { member }) => {
      const change = flagOperation(op, flag);
      if (ids.length > maxMessagesPerFlagCall) {
        throw refused.because(`Too many messages in one call (limit: ${maxMessagesPerFlagCall}).`);
      }
      const { ignored } = await changeFlag({ database, log }, member, {
        ...change,
        messages: ids,
        needsAll: change.flag !== 'read',
      });
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

/** Changes of the flags of few messages share a transaction with other calls. */
const mostAtOnce = 100;

/** Changes the flag of those of the messages that the member may read. */
export function changeFlag(
  { database, log }: { readonly database: Database; readonly log: EventLog },
  member: Member,
  change: FlagChange,
): Promise<ChangedFlags> {
  return database.writeInSteps((tx) => changeInSteps(tx, log, memberNow(tx, member), change), {
    isShort: change.messages.length <= mostAtOnce,
  });
}

function* changeInSteps(
  tx: Transaction,
  log: EventLog,
  member: Member,
  { op, flag, messages, needsAll = false }: FlagChange,
): Steps<ChangedFlags> {
  const ids = [...new Set(messages)].toSorted((one, other) => one - other);
  const readable: MessageHeader[] = [];
  for (const some of slicesOf(ids)) {
    readable.push(...readableHeaders(tx, member, some));
    yield;
  }
  if (needsAll && readable.length < ids.length) throw refused.invalidMessages();
  const becomesUnread = flag === 'read' && op === 'remove';
  const ignored = becomesUnread ? notSubscribed(tx, member, readable) : new Set<number>();
  const changing = Map.groupBy(
    readable.filter((header) => !ignored.has(header.conversation_id)),
    (header) => header.conversation_id,
  );
  const changed: MessageHeader[] = [];
  for (const [conversationId, headers] of changing) {
    for (const some of slicesOf(headers)) {
      changed.push(
        ...(flag === 'read' ? changeRead(tx, member, op, conversationId, some) : changeBit(tx, member, op, flag, some)),
      );
      yield;
    }
  }
  const message_details = becomesUnread ? yield* detailsOf(tx, member, changed) : undefined;
  publish(tx, log, member.id, { op, flag, messages: changed.map(({ id }) => id), message_details });
  return { changed, ignored: [...ignored] };
}

interface ChangedFlags {
  readonly changed: readonly MessageHeader[];
  /** The ids of streams that the member has left: their messages cannot become unread. */
  readonly ignored: number[];
}

interface FlagChange {
  readonly op: Operation;
  readonly flag: WritableFlag;
  readonly messages: readonly number[];
  /** Whether the change is refused if the member may not read all of the messages. */
  readonly needsAll?: boolean;
}

interface PublishedChange extends Omit<FlagChange, 'needsAll'> {
  readonly message_details?: Record<string, unknown> | undefined;
}

function publish(tx: Transaction, log: EventLog, userId: number, { op, flag, messages, message_details }: PublishedChange): void {
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
function* detailsOf(tx: Transaction, member: Member, headers: readonly MessageHeader[]): Steps<Record<string, unknown>> {
  const details: Record<string, unknown> = {};
  for (const [conversationId, ofConversation] of Map.groupBy(headers, (header) => header.conversation_id)) {
    const participants = conversations.participants(tx, conversationId);
    for (const header of ofConversation) {
      details[header.id] = {
        ...(participants
          ? { type: 'private', user_ids: participants.filter((userId) => userId !== member.id) }
          : { type: 'stream', stream_id: conversationId, topic: header.topic }),
        ...(mentionsMember(tx, member, header) ? { mentioned: true } : {}),
      };
      yield;
    }
  }
  return details;
}

function mentionsMember(reader: Reader, member: Member, { id, features }: MessageHeader): boolean {
  if (features & featureBits.mentionsAll) return true;
  return (messageFlags.bits(reader, member.id, id) & flagBits.mentioned) !== 0;
}

/** @returns the messages that changed. All are of the conversation. */
function changeRead(
  tx: Transaction,
  member: Member,
  op: Operation,
  conversationId: number,
  headers: readonly MessageHeader[],
): MessageHeader[] {
  const spans = received(tx, member.id, conversationId);
  const isRead = readStates.readsOf(tx, conversationId, [member.id]);
  // Messages from before the member joined always count as read, so the flag `read` does not change on them.
  const changed = headers.filter(({ id }) => within(id, spans) && isRead(member.id, id) !== (op === 'add'));
  const owned = changed.map(({ id }) => ownedRange(tx, conversationId, id));
  readStates.change(tx, member.id, conversationId, owned, op === 'add' ? union : difference);
  return changed;
}

/** Extends the id of a message over preceding ids of other conversations, so that neighbouring messages form one range. */
export function ownedRange(tx: Transaction, conversationId: number, id: number): Range {
  return [messageHeaders.previousId(tx, conversationId, id) + 1, id];
}

function changeBit(
  tx: Transaction,
  member: Member,
  op: Operation,
  flag: StoredFlag,
  headers: readonly MessageHeader[],
): MessageHeader[] {
  return headers.filter(({ id }) => {
    const bits = messageFlags.bits(tx, member.id, id);
    const wanted = op === 'add' ? bits | flagBits[flag] : bits & ~flagBits[flag];
    if (wanted !== bits) messageFlags.put(tx, member.id, id, wanted);
    return wanted !== bits;
  });
}

const mostStarred = 10_000;

export function starredMessages(reader: Reader, member: Member): number[] {
  return readableHeaders(reader, member, messageFlags.starred(reader, member.id, mostStarred)).map(({ id }) => id);
}
