import { sql } from 'kysely';
import type { Span } from './access.ts';
import type { Reader, Value } from '../database/index.ts';
import { queries } from '../schema.ts';

const selectOneOf = queries.value(
  (query, conversationId: Value<number>, topicKey: Value<string>, spans: Value<readonly Span[]>) =>
    query
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .where('topic_key', '=', topicKey)
      .where('deleted', 'is', null)
      .where(
        sql<boolean>`EXISTS (
          SELECT 1 FROM json_each(${spans}) AS span WHERE message.id > span.value ->> 'after' AND message.id <= span.value ->> 'upTo'
        )`,
      )
      .limit(1),
);

/**
 * The newest message of each topic in `spans`, newest first. It steps from topic to topic on the index `message_by_topic`,
 * which SQLite would not choose, so the work grows with the topics and spans. Of a topic it
 * reads only its newest message, and deleted messages after that one.
 */
export const topics = {
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
  /** Whether the topic has a message in one of the spans. */
  has: (reader: Reader, conversationId: number, topicKey: string, spans: readonly Span[]): boolean =>
    selectOneOf(reader, conversationId, topicKey, spans) !== undefined,
};
