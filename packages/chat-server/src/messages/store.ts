import { sql } from 'kysely';
import type { Span } from '../conversations/access.ts';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';
import { featureBits } from './features.ts';

/** A message with what its answers show of its sender. A direct message has no stream. */
export type MessageRow = Row<'message'> &
  Pick<Row<'user'>, 'email' | 'full_name' | 'avatar_url'> & { stream_name: string | null };

type NewMessage = Omit<Row<'message'>, 'id' | 'last_edit_timestamp' | 'last_moved_timestamp' | 'deleted'>;

const insertMessage = statement<NewMessage>()((query, value) =>
  query
    .insertInto('message')
    .values({
      last_edit_timestamp: null,
      last_moved_timestamp: null,
      deleted: null,
      features: value.features,
      conversation_id: value.conversation_id,
      sender_id: value.sender_id,
      topic: value.topic,
      topic_key: value.topic_key,
      content: value.content,
      client: value.client,
      timestamp: value.timestamp,
    })
    .returning('id'),
);
const blankMessage = statement<{ id: number; deleted: number }>()((query, value) =>
  query.updateTable('message').set({ content: '', features: 0, deleted: value.deleted }).where('id', '=', value.id),
);
const correctContent = statement<{ id: number; content: string; features: number; now: number }>()((query, value) =>
  query
    .updateTable('message')
    .set({ content: value.content, features: value.features, last_edit_timestamp: value.now })
    .where('id', '=', value.id),
);
const changeTopic = statement<{ ids: string; topic: string; topic_key: string; now: number }>()((query, value) =>
  query
    .updateTable('message')
    .set({ topic: value.topic, topic_key: value.topic_key, last_moved_timestamp: value.now })
    .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`),
);
const selectUnderTopic = statement<{
  conversation_id: number;
  topic_key: string;
  after: number;
  up_to: number;
  most: number;
}>()((query, value) =>
  query
    // SQLite would walk the whole conversation.
    .selectFrom(sql<Row<'message'>>`message`.as<'message'>(sql`message INDEXED BY message_by_topic`))
    .select(['id', 'sender_id', 'topic', 'timestamp'])
    .where('conversation_id', '=', value.conversation_id)
    .where('topic_key', '=', value.topic_key)
    .where('id', '>', value.after)
    .where('id', '<=', value.up_to)
    .where('deleted', 'is', null)
    .orderBy('id')
    .limit(value.most),
);
const selectToAll = statement<{ conversation_id: number; after: number; up_to: number; most: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select('id')
    .where('conversation_id', '=', value.conversation_id)
    .where(sql<boolean>`features & ${sql.lit(featureBits.mentionsAll)}`)
    .where('id', '>', value.after)
    .where('id', '<=', value.up_to)
    .orderBy('id', 'desc')
    .limit(value.most),
);
/** As the index `message_of_file` has it. */
const namedFile = sql<string>`json_extract('[' || replace(json_quote(content), ',', '","') || ']', '$[#-2]')`;
const selectOfFile = statement<{ sender_id: number; stored_name: string }>()((query, value) =>
  query
    .selectFrom('message')
    .select(['id', 'sender_id', 'content'])
    .where('sender_id', '=', value.sender_id)
    .where(sql<boolean>`features & ${sql.lit(featureBits.attachment)}`)
    .where(namedFile, '=', value.stored_name),
);
const selectFirstAfter = statement<{ conversation_id: number; id: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select('id')
    .where('conversation_id', '=', value.conversation_id)
    .where('id', '>', value.id)
    .where('deleted', 'is', null)
    .orderBy('id')
    .limit(1),
);

const selectFrom = statement<{ id: number }>()((query, value) =>
  query.selectFrom('message').select(['id', 'timestamp']).where('id', '>=', value.id).orderBy('id').limit(1),
);
const selectHighest = statement()((query) =>
  query.selectFrom('message').select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id')),
);

const withSender = statement<{ id: number }>()((query, value) =>
  query
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.sender_id')
    .leftJoin('stream', 'stream.conversation_id', 'message.conversation_id')
    .selectAll('message')
    .select(['user.email', 'user.full_name', 'user.avatar_url', 'stream.name as stream_name'])
    .where('message.id', '=', value.id),
);
const selectPlaces = statement<{ ids: string }>()((query, value) =>
  query
    .selectFrom('message')
    .select(['id', 'conversation_id', 'sender_id', 'topic', 'features', 'deleted'])
    .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
    .orderBy('id'),
);
const selectNewest = statement<{ conversation_id: number; up_to: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id'))
    .where('conversation_id', '=', value.conversation_id)
    .where('id', '<=', value.up_to),
);
const selectPrevious = statement<{ conversation_id: number; id: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id'))
    .where('conversation_id', '=', value.conversation_id)
    .where('id', '<', value.id),
);

const selectIdsDown = statement<{ conversation_id: number; after: number; up_to: number; most: number }>()((query, value) =>
  query
    .selectFrom('message')
    .select('id')
    .where('conversation_id', '=', value.conversation_id)
    .where('id', '>', value.after)
    .where('id', '<=', value.up_to)
    .where('deleted', 'is', null)
    .orderBy('id', 'desc')
    .limit(value.most),
);

/** Ids that are read at once when a list is walked. */
const idsPerPage = 100;

const insertClientMessage = statement<Row<'client_message'>>()((query, value) =>
  query.insertInto('client_message').values({
    sender_id: value.sender_id,
    client_message_id: value.client_message_id,
    message_id: value.message_id,
    sent: value.sent,
  }),
);
const selectClientMessage = statement<{ sender_id: number; client_message_id: string }>()((query, value) =>
  query
    .selectFrom('client_message')
    .select('message_id')
    .where('sender_id', '=', value.sender_id)
    .where('client_message_id', '=', value.client_message_id),
);
const forgetClientMessages = statement<{ before: number; most: number }>()((query, value) =>
  query.deleteFrom('client_message').where(
    sql<boolean>`(sender_id, client_message_id) IN (
        SELECT sender_id, client_message_id FROM client_message WHERE sent < ${value.before} LIMIT ${value.most}
      )`,
  ),
);

export const messages = {
  insert(tx: Transaction, message: Omit<NewMessage, 'topic_key'>): number {
    const inserted = tx.get(insertMessage, { ...message, topic_key: topicKey(message.topic) });
    if (!inserted) throw new Error('an inserted message has an id');
    return inserted.id;
  },
  /** The content goes, the place stays. */
  blank: (tx: Transaction, id: number, now: number) => tx.run(blankMessage, { id, deleted: now }),
  correct: (tx: Transaction, id: number, corrected: Pick<MessageRow, 'content' | 'features'>, now: number) =>
    tx.run(correctContent, { id, content: corrected.content, features: corrected.features, now }),
  changeTopic: (tx: Transaction, ids: readonly number[], topic: string, now: number) =>
    tx.run(changeTopic, { ids: JSON.stringify(ids), topic, topic_key: topicKey(topic), now }),
  /** The messages of a topic with ids above `after`, up to and with `upTo`, the oldest first. */
  underTopic: (
    reader: Reader,
    { conversation_id, topic_key }: Pick<MessageRow, 'conversation_id' | 'topic_key'>,
    { after, upTo }: Span,
    most: number,
  ) => reader.all(selectUnderTopic, { conversation_id, topic_key, after, up_to: upTo, most }),
  /** The newest `most` that speak to everyone in their conversation. */
  toAll: (reader: Reader, conversationId: number, { after, upTo }: Span, most: number): number[] =>
    reader.all(selectToAll, { conversation_id: conversationId, after, up_to: upTo, most }).map(({ id }) => id),
  /** All messages of a sender that may carry a file of this stored name; what they say of it is not looked at. */
  ofFile: (reader: Reader, senderId: number, storedName: string) =>
    reader.all(selectOfFile, { sender_id: senderId, stored_name: storedName }),
  /** The oldest message of a conversation after `id`. */
  firstAfter: (reader: Reader, conversationId: number, id: number): number | undefined =>
    reader.get(selectFirstAfter, { conversation_id: conversationId, id })?.id,

  /**
   * The first id from a time on (Unix seconds), undefined when nothing was said since. Ids rise with the time, so that it
   * is found by halves. Deleted messages count.
   */
  firstSince(reader: Reader, timestamp: number): number | undefined {
    const end = (reader.get(selectHighest, {})?.id ?? 0) + 1;
    let [low, high] = [0, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const message = reader.get(selectFrom, { id: middle });
      if (message && message.timestamp < timestamp) low = message.id + 1;
      else high = middle;
    }
    return low === end ? undefined : reader.get(selectFrom, { id: low })?.id;
  },

  withSender: (reader: Reader, id: number): MessageRow | undefined => reader.get(withSender, { id }),
  /** Where messages stand; ids that name none are left out. */
  places: (reader: Reader, ids: readonly number[]) => reader.all(selectPlaces, { ids: JSON.stringify(ids) }),
  /** The newest id not above `upTo`, 0 when there is none. Deleted messages count. */
  newestId: (reader: Reader, conversationId: number, upTo = Number.MAX_SAFE_INTEGER) =>
    reader.get(selectNewest, { conversation_id: conversationId, up_to: upTo })?.id ?? 0,
  /** The id before `id` in its conversation, 0 when there is none. Deleted messages count. */
  previousId: (reader: Reader, conversationId: number, id: number) =>
    reader.get(selectPrevious, { conversation_id: conversationId, id })?.id ?? 0,

  /** The ids of a part of a conversation, the newest first, read page by page as they are asked for. */
  *idsDown(reader: Reader, conversationId: number, { after, upTo }: Span): Generator<number, undefined> {
    for (let up_to = upTo; ;) {
      const page = reader.all(selectIdsDown, { conversation_id: conversationId, after, up_to, most: idsPerPage });
      for (const { id } of page) yield id;
      if (page.length < idsPerPage) return undefined;
      up_to = (page.at(-1)?.id ?? 0) - 1;
    }
  },

  rememberClientId: (tx: Transaction, sent: Row<'client_message'>) => tx.run(insertClientMessage, sent),
  byClientId: (reader: Reader, senderId: number, clientMessageId: string) =>
    reader.get(selectClientMessage, { sender_id: senderId, client_message_id: clientMessageId })?.message_id,
  /** At most `most` at once. */
  forgetClientIds: (tx: Transaction, before: number, most: number) => tx.run(forgetClientMessages, { before, most }),
};

/** Topics are the same when they differ only in case. */
export const topicKey = (topic: string): string => topic.normalize('NFC').toLowerCase();
