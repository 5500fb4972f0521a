import { topicKey } from '@engawa/protocol';
import { type Kysely, sql } from 'kysely';
import type { Span } from '../conversations/access.ts';
import { blockSize } from '../conversations/blocks.ts';
import { featureBits } from '../conversations/messageHeaders.ts';
import { type Columns, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { ownMessages } from '../reading/ownMessages.ts';
import { type Row, type Schema, columns, queries } from '../schema.ts';
import { sentMessages } from './sentMessages.ts';

/** A message with the data of its sender that answers show. A direct message has no stream. */
export type MessageRow = Row<'message'> &
  Pick<Row<'user'>, 'email' | 'full_name' | 'avatar_url'> & { stream_name: string | null };

type NewMessage = Omit<Row<'message'>, 'id' | 'last_edit_timestamp' | 'last_moved_timestamp' | 'deleted'>;

const newColumns = [
  'conversation_id',
  'sender_id',
  'topic',
  'topic_key',
  'content',
  'client',
  'timestamp',
  'features',
  'read_by_sender',
  'notice',
] as const;

const insertMessage = queries.insert((query, message: Columns<NewMessage>) =>
  query.insertInto('message').values({
    last_edit_timestamp: null,
    last_moved_timestamp: null,
    deleted: null,
    ...columns(message, newColumns),
  }),
);
const setTopic = queries.run(
  (query, ids: Value<readonly number[]>, topic: Value<string>, key: Value<string>, now: Value<number>) =>
    query.updateTable('message').set({ topic, topic_key: key, last_moved_timestamp: now }).where('id', 'in', each(ids)),
);
/** SQLite uses the index `message_of_file` only if this expression is written exactly as in the index. */
const namedFile = sql<string>`json_extract('[' || replace(json_quote(content), ',', '","') || ']', '$[#-2]')`;

const withSender = (query: Kysely<Schema>) =>
  query
    .selectFrom('message')
    .innerJoin('user', 'user.id', 'message.sender_id')
    .leftJoin('stream', 'stream.conversation_id', 'message.conversation_id')
    .selectAll('message')
    .select(['user.email', 'user.full_name', 'user.avatar_url', 'stream.name as stream_name']);

const selectFirstFrom = queries.row((query, id: Value<number>) =>
  query.selectFrom('message').select(['id', 'timestamp']).where('id', '>=', id).orderBy('id').limit(1),
);
const selectHighestId = queries.value((query) =>
  query.selectFrom('message').select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id')),
);

export const messages = {
  insert(tx: Transaction, message: Omit<NewMessage, 'topic_key'>): number {
    const id = insertMessage(tx, { ...message, topic_key: topicKey(message.topic) });
    if (id % blockSize === 0) {
      const block: Span = { after: id - blockSize, upTo: id };
      sentMessages.addBlock(tx, block);
      ownMessages.addBlock(tx, block);
    }
    return id;
  },
  /** Deletes the content, but keeps the row, so that the id remains known as a placeholder. */
  blank: queries.run((query, id: Value<number>, now: Value<number>) =>
    query.updateTable('message').set({ content: '', features: 0, notice: null, deleted: now }).where('id', '=', id),
  ),
  setContent: queries.run(
    (query, id: Value<number>, edited: Columns<Pick<MessageRow, 'content' | 'features'>>, now: Value<number>) =>
      query
        .updateTable('message')
        .set({ content: edited.content, features: edited.features, last_edit_timestamp: now })
        .where('id', '=', id),
  ),
  setTopic: (tx: Transaction, ids: readonly number[], topic: string, now: number) =>
    setTopic(tx, ids, topic, topicKey(topic), now),
  inTopic: queries.rows(
    (query, place: Columns<Pick<MessageRow, 'conversation_id' | 'topic_key'>>, span: Columns<Span>, most: Value<number>) =>
      query
        // The index is named, because SQLite would otherwise read all messages of the conversation.
        .selectFrom(sql<Row<'message'>>`message`.as<'message'>(sql`message INDEXED BY message_by_topic`))
        .select(['id', 'sender_id', 'topic', 'timestamp'])
        .where('conversation_id', '=', place.conversation_id)
        .where('topic_key', '=', place.topic_key)
        .where('id', '>', span.after)
        .where('id', '<=', span.upTo)
        .where('deleted', 'is', null)
        .orderBy('id')
        .limit(most),
  ),
  /** The newest messages of a sender that may contain a file with this stored name. The caller must parse them to be sure. */
  ofFile: queries.rows((query, senderId: Value<number>, storedName: Value<string>, most: Value<number>) =>
    query
      .selectFrom('message')
      .select(['id', 'conversation_id', 'sender_id', 'content', 'timestamp'])
      .where('sender_id', '=', senderId)
      .where(sql<boolean>`features & ${sql.lit(featureBits.attachment)}`)
      .where(namedFile, '>=', storedName)
      // The size of a picture may follow after `#`; `$` is the next character.
      .where(namedFile, '<', sql<string>`${storedName} || '$'`)
      .orderBy('id', 'desc')
      .limit(most),
  ),

  /** The first message, deleted or not, sent since `timestamp` (Unix seconds). Ids rise with time, so bisection finds it. */
  firstSince(reader: Reader, timestamp: number): number | undefined {
    const end = (selectHighestId(reader) ?? 0) + 1;
    let [low, high] = [0, end];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const message = selectFirstFrom(reader, middle);
      if (message && message.timestamp < timestamp) low = message.id + 1;
      else high = middle;
    }
    return low === end ? undefined : selectFirstFrom(reader, low)?.id;
  },

  newestSender: (reader: Reader): number | undefined => messages.withSender(reader, selectHighestId(reader) ?? 0)?.sender_id,
  withSender: queries.row((query, id: Value<number>) => withSender(query).where('message.id', '=', id)),
  withSenders: queries.rows((query, ids: Value<readonly number[]>) => withSender(query).where('message.id', 'in', each(ids))),

  insertClientId: queries.run((query, sent: Columns<Row<'client_message'>>) =>
    query.insertInto('client_message').values(columns(sent, ['sender_id', 'client_message_id', 'message_id', 'sent'])),
  ),
  byClientId: queries.value((query, senderId: Value<number>, clientMessageId: Value<string>) =>
    query
      .selectFrom('client_message')
      .select('message_id')
      .where('sender_id', '=', senderId)
      .where('client_message_id', '=', clientMessageId),
  ),
  /**
   * Examines the oldest `most`, in the order of their messages. Those from after `now`, when the clock was ahead, are deleted as well,
   * because they would stand before all others until then.
   */
  deleteClientIds: queries.run((query, { before, now, most }: Columns<Record<'before' | 'now' | 'most', number>>) =>
    query.deleteFrom('client_message').where(
      sql<boolean>`message_id IN (
        SELECT message_id
        FROM (SELECT message_id, sent FROM client_message ORDER BY message_id LIMIT ${most})
        WHERE sent < ${before} OR sent > ${now}
      )`,
    ),
  ),
};
