import { visibilityPolicies } from '@engawa/protocol';
import type { Columns, Reader, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type UserTopicRow = Row<'user_topic'>;

const count = queries.value((query, userId: Value<number>) =>
  query
    .selectFrom('user_topic')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId),
);

/** The choices of members for topics. */
export const userTopics = {
  of: queries.rows((query, userId: Value<number>) => query.selectFrom('user_topic').selectAll().where('user_id', '=', userId)),
  one: queries.row((query, userId: Value<number>, streamId: Value<number>, key: Value<string>) =>
    query
      .selectFrom('user_topic')
      .selectAll()
      .where('user_id', '=', userId)
      .where('stream_id', '=', streamId)
      .where('topic_key', '=', key),
  ),
  count: (reader: Reader, userId: number): number => count(reader, userId) ?? 0,
  put: queries.run((query, row: Columns<UserTopicRow>) =>
    query
      .insertInto('user_topic')
      .values({
        user_id: row.user_id,
        stream_id: row.stream_id,
        topic_key: row.topic_key,
        topic: row.topic,
        policy: row.policy,
        updated: row.updated,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['user_id', 'stream_id', 'topic_key'])
          .doUpdateSet({ topic: row.topic, policy: row.policy, updated: row.updated }),
      ),
  ),
  remove: queries.run((query, userId: Value<number>, streamId: Value<number>, key: Value<string>) =>
    query.deleteFrom('user_topic').where('user_id', '=', userId).where('stream_id', '=', streamId).where('topic_key', '=', key),
  ),
};

export interface TopicVisibility {
  /** Whether the member has chosen nothing for any topic. */
  readonly isEmpty: boolean;
  /** THE rule of what is muted: a muted topic, and a muted stream except its unmuted and followed topics. */
  isMuted(streamId: number, topicKey: string, isStreamMuted: boolean): boolean;
  isFollowed(streamId: number, topicKey: string): boolean;
}

export function topicVisibility(reader: Reader, userId: number): TopicVisibility {
  const rows = userTopics.of(reader, userId);
  const policies = new Map(rows.map(({ stream_id, topic_key, policy }) => [`${stream_id} ${topic_key}`, policy]));
  const policyOf = (streamId: number, key: string) => policies.get(`${streamId} ${key}`) ?? visibilityPolicies.none;
  return {
    isEmpty: rows.length === 0,
    isMuted(streamId, key, isStreamMuted) {
      const policy = policyOf(streamId, key);
      return policy === visibilityPolicies.none ? isStreamMuted : policy === visibilityPolicies.muted;
    },
    isFollowed: (streamId, key) => policyOf(streamId, key) === visibilityPolicies.followed,
  };
}
