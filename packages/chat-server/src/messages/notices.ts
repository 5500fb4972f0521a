import { type MessageNotice, defaultTopic } from '@engawa/protocol';
import { type Clock, seconds } from '../clock.ts';
import { memberships } from '../conversations/memberships.ts';
import { streams } from '../conversations/streams.ts';
import type { Reader, Transaction } from '../database/index.ts';
import type { EventLog } from '../events/log.ts';
import { users } from '../identity/store.ts';
import { ownedRange } from '../reading/flags.ts';
import { readStates } from '../reading/store.ts';
import type { Announce } from '../streams/announcement.ts';
import { messages } from './store.ts';

/** The `client` of a message that the server writes, as in Zulip. */
const client = 'Internal';
const mostNamed = 3;
/** An addition is not announced to more members than this, because the message is marked as read for each of them. */
const mostReaders = 500;

/** Announces a new stream to all its members, and an addition to those added: for the others the message is read. */
export function createAnnounce(log: EventLog, clock: Clock): Announce {
  return (tx, stream, announcement) => {
    const { by, isNew } = announcement;
    const streamId = stream.conversation_id;
    const added = announcement.newcomers.filter((id) => id !== by);
    // Members who join by themselves need no line.
    if (!isNew && added.length === 0) return;
    const readers = isNew ? [] : othersThan(tx, streamId, added);
    if (readers.length > mostReaders) return;
    const id = messages.insert(tx, {
      conversation_id: streamId,
      sender_id: by,
      topic: defaultTopic,
      content: isNew ? 'グループを作りました。' : additionOf(tx, added),
      client,
      features: 0,
      read_by_sender: 1,
      timestamp: seconds(clock),
      notice: JSON.stringify((isNew ? { kind: 'created' } : { kind: 'added', user_ids: added }) satisfies MessageNotice),
    });
    streams.noteFirstMessage(tx, streamId, id);
    const range = ownedRange(tx, streamId, id);
    for (const reader of readers) readStates.add(tx, reader, streamId, [range]);
    log.append(tx, { type: 'message', reach: 'members', reachId: streamId, messageId: id, payload: {} });
  };
}

function othersThan(tx: Transaction, streamId: number, added: readonly number[]): number[] {
  const subscribers = memberships.subscribers(tx, streamId, added.length + mostReaders + 1);
  return [...new Set(subscribers).difference(new Set(added))];
}

/** Names the added users by silent mentions, which notify nobody and follow a change of the name. */
function additionOf(reader: Reader, added: readonly number[]): string {
  const names = users.byIds(reader, added.slice(0, mostNamed)).map(({ id, full_name }) => `@_**${full_name}|${id}**さん`);
  const more = added.length > mostNamed ? `ほか ${added.length - mostNamed} 人` : '';
  return `${names.join('、')}${more}を追加しました。`;
}
