import { type WritableFlag, maxMessagesPerFlagCall, updateMessageFlags, writableFlags } from '@engawa/protocol';
import { mayRead, received, within } from '../conversations/access.ts';
import type { Database, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { refused } from '../http/errors.ts';
import { type Route, memberRoute } from '../http/router.ts';
import { messages } from '../messages/store.ts';
import type { Member } from '../users/member.ts';
import { type Range, difference, includes, union } from './ranges.ts';
import { type StoredFlag, flagBits, messageFlags, readStates } from './store.ts';

type Operation = 'add' | 'remove';

export function flagRoutes(database: Database, log: EventLog): Route[] {
  return [
    memberRoute(updateMessageFlags, async ({ messages: ids, op, flag }, { member }) => {
      if (op !== 'add' && op !== 'remove') throw refused.because(`Invalid message flag operation: '${op}'`);
      const writable = writableFlags.find((each) => each === flag);
      if (!writable) throw refused.because(visibleFlags.has(flag) ? `Flag not editable: '${flag}'` : `Invalid flag: '${flag}'`);
      if (ids.length > maxMessagesPerFlagCall) {
        throw refused.because(`Too many messages in one call (limit: ${maxMessagesPerFlagCall}).`);
      }
      await database.write((tx) => changeFlag(tx, log, member, op, writable, ids));
      return { messages: ids };
    }),
  ];
}

const visibleFlags = new Set(['mentioned', 'wildcard_mentioned', 'has_alert_word', 'historical']);

/** Sets or clears a flag of the member's own and tells the member's queues. Bounded by the ids of one call. */
export function changeFlag(
  tx: Transaction,
  log: EventLog,
  member: Member,
  op: Operation,
  flag: WritableFlag,
  ids: readonly number[],
): void {
  const places = messages.places(tx, ids);
  const readable = places.filter((place) => place.deleted === null && mayRead(tx, member.id, place));
  if (flag !== 'read' && readable.length < new Set(ids).size) throw refused.invalidMessages();

  const changed = flag === 'read' ? changeRead(tx, member, op, readable) : changeBit(tx, member, op, flag, readable);
  log.append(tx, {
    type: 'update_message_flags',
    reach: 'self',
    reachId: member.id,
    payload: {
      op,
      operation: op,
      flag,
      messages: changed,
      all: false,
      ...(flag === 'read' && op === 'remove' ? { message_details: detailsOf(places, changed) } : {}),
    },
  });
}

/** Where each message counts again, for clients that do not have it. */
function detailsOf(places: readonly Place[], ids: readonly number[]): Record<string, unknown> {
  const wanted = new Set(ids);
  return Object.fromEntries(
    places
      .filter(({ id }) => wanted.has(id))
      .map(({ id, conversation_id: stream_id, topic }) => [id, { type: 'stream', stream_id, topic }]),
  );
}

interface Place {
  readonly id: number;
  readonly conversation_id: number;
  readonly topic: string;
}

function changeRead(tx: Transaction, member: Member, op: Operation, places: readonly Place[]): number[] {
  const changed: number[] = [];
  for (const [conversationId, ofConversation] of Map.groupBy(places, (place) => place.conversation_id)) {
    const spans = received(tx, member.id, conversationId);
    const ranges = readStates.ranges(tx, member.id, conversationId);
    // What came before the member's stays is history: it is read already and cannot become unread.
    const ids = ofConversation
      .map(({ id }) => id)
      .filter((id) => within(id, spans) && includes(ranges, id) !== (op === 'add'));
    const owned = ids.map((id) => ownedRange(tx, conversationId, id));
    const read = op === 'add' ? union(ranges, owned) : difference(ranges, owned);
    readStates.put(tx, member.id, conversationId, read);
    changed.push(...ids);
  }
  return changed;
}

/**
 * The ids that stand for a message in read ranges: its own and those of other conversations since the message before it
 * in this one. So neighbours that are read make one range, and ranges stay few.
 */
export function ownedRange(tx: Transaction, conversationId: number, id: number): Range {
  return [messages.previousId(tx, conversationId, id) + 1, id];
}

function changeBit(tx: Transaction, member: Member, op: Operation, flag: StoredFlag, places: readonly Place[]): number[] {
  return places.flatMap(({ id }) => {
    const bits = messageFlags.bits(tx, member.id, id);
    const wanted = op === 'add' ? bits | flagBits[flag] : bits & ~flagBits[flag];
    if (wanted === bits) return [];
    messageFlags.put(tx, member.id, id, wanted);
    return [id];
  });
}
