import { sql } from 'kysely';
import type { Span } from './access.ts';
import type { Columns, Reader, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export const topics = {
  /**
   * The newest message of each topic in `spans`, newest first. It steps from topic to topic on the index `message_by_topic`,
   * which SQLite would not choose, so the work grows with the topics and spans. Of a topic it
   * reads only its newest message, and deleted messages after that one.
   */
  of: queries.rows((query, conversationId: Value<number>, spans: Value<readonly Span[]>, most: Value<number>) =>
    query
      .withRecursive('key(topic_key)', (keys) =>
        keys
          .selectFrom('message')
          .select(sql<string | null>`min(topic_key)`.as('topic_key'))
          .where('conversation_id', '=', conversationId)
          .unionAll((rest) =>
            rest
              .selectFrom('key')
              .select((build) =>
                build
                  .selectFrom('message')
                  .select((next) => next.fn.min('message.topic_key').as('topic_key'))
                  .where('message.conversation_id', '=', conversationId)
                  .whereRef('message.topic_key', '>', 'key.topic_key')
                  .as('topic_key'),
              )
              .where('key.topic_key', 'is not', null)
              .limit(most),
          ),
      )
      .with('newest', (newest) =>
        newest.selectFrom('key').select(
          sql<number | null>`(
          SELECT max((
            SELECT message.id FROM message INDEXED BY message_by_topic
            WHERE message.conversation_id = ${conversationId} AND message.topic_key = key.topic_key
              AND message.id > span.value ->> 'after' AND message.id <= span.value ->> 'upTo'
              AND message.deleted IS NULL
            ORDER BY message.id DESC LIMIT 1
          )) FROM json_each(${spans}) AS span
        )`.as('id'),
        ),
      )
      .selectFrom('newest')
      .innerJoin('message', 'message.id', 'newest.id')
      .select(['message.topic as name', 'message.id as max_id'])
      .orderBy('max_id', 'desc'),
  ),
  newestInTopic: queries.values(
    (query, conversationId: Value<number>, topicKey: Value<string>, span: Columns<Span>, most: Value<number>) =>
      query
        // The index is named, because SQLite would otherwise read all messages of the conversation.
        .selectFrom(sql<Row<'message'>>`message`.as<'message'>(sql`message INDEXED BY message_by_topic`))
        .select('id')
        .where('conversation_id', '=', conversationId)
        .where('topic_key', '=', topicKey)
        .where('id', '>', span.after)
        .where('id', '<=', span.upTo)
        .where('deleted', 'is', null)
        .orderBy('id', 'desc')
        .limit(most),
  ),
  /** Whether the topic has a message in one of the spans. */
  has: (reader: Reader, conversationId: number, topicKey: string, spans: readonly Span[]): boolean =>
    spans.some((span) => topics.newestInTopic(reader, conversationId, topicKey, span, 1).length > 0),
};
