import { sql } from 'kysely';
import { type Reader, type Value, each } from '../database/index.ts';
import { refused } from '../errors.ts';
import { type Row, queries } from '../schema.ts';
import { type Span, type Viewer, audienceOf, mayReadEach } from './access.ts';
import { streams } from './streams.ts';

export type MessageHeader = Pick<
  Row<'message'>,
  'id' | 'conversation_id' | 'sender_id' | 'topic' | 'features' | 'read_by_sender' | 'deleted'
>;

/** The bits of the column `features`. The operators `has:` and `is:mentioned` search for them. */
export const featureBits = { link: 1, image: 2, attachment: 4, mentionsAll: 8 } as const;

const idsPerPage = 100;

const selectVersion = queries.value((query) => query.selectFrom('counter').select('value').where('name', '=', 'messages'));
const selectNewest = queries.value((query, conversationId: Value<number>, upTo: Value<number>) =>
  query
    .selectFrom('message')
    .select((build) => build.fn.coalesce(build.fn.max('id'), sql<number>`0`).as('id'))
    .where('conversation_id', '=', conversationId)
    .where('id', '<=', upTo),
);
/** In all periods of the conversations of which the user is a member. */
const selectNewestReceived = queries.value((query, userId: Value<number>) =>
  query
    .selectFrom('membership as current')
    .innerJoin('membership as period', (join) =>
      join.onRef('period.conversation_id', '=', 'current.conversation_id').onRef('period.user_id', '=', 'current.user_id'),
    )
    .select((build) =>
      build.fn
        .max<number | null>((newest) =>
          newest
            .selectFrom('message')
            .select((of) => of.fn.max('id').as('id'))
            .whereRef('conversation_id', '=', 'period.conversation_id')
            .whereRef('id', '>', 'period.began_message')
            .where(sql<boolean>`id <= coalesce(period.ended_message, ${sql.lit(Number.MAX_SAFE_INTEGER)})`),
        )
        .as('id'),
    )
    .where('current.user_id', '=', userId)
    .where('current.ended_event', 'is', null),
);
/** Ids as one JSON text, because SQLite returns it much faster than a row for each id. */
const idList = (order: 'asc' | 'desc') => sql<string>`json_group_array(id ORDER BY id ${sql.raw(order)})`.as('ids');
const parseIds = (text: string): number[] => JSON.parse(text);

const selectIdsDown = queries.value(
  (query, conversationId: Value<number>, after: Value<number>, upTo: Value<number>, most: Value<number>) =>
    query
      .selectFrom((page) =>
        page
          .selectFrom('message')
          .select('id')
          .where('conversation_id', '=', conversationId)
          .where('id', '>', after)
          .where('id', '<=', upTo)
          .where('deleted', 'is', null)
          .orderBy('id', 'desc')
          .limit(most)
          .as('page'),
      )
      .select(idList('desc')),
);
const selectByTopic = queries.rows((query, conversationId: Value<number>, ids: Value<readonly number[]>) =>
  query
    .selectFrom((topics) =>
      topics
        .selectFrom('message')
        .select((build) => [build.fn.min('id').as('oldest'), build.fn.max('id').as('newest'), idList('asc')])
        .where('conversation_id', '=', conversationId)
        .where('id', 'in', each(ids))
        .groupBy('topic_key')
        .as('topics'),
    )
    .innerJoin('message', 'message.id', 'topics.newest')
    .select(['message.topic', 'topics.ids'])
    .orderBy('topics.oldest'),
);

export const messageHeaders = {
  /**
   * Changes when a message is edited, moved, deleted or marked as unread by its sender, or when what messages show changes (streams,
   * emoji, linkifiers), but not with a new message.
   */
  version: (reader: Reader): number => selectVersion(reader) ?? 0,
  of: queries.rows((query, ids: Value<readonly number[]>) =>
    query
      .selectFrom('message')
      .select(['id', 'conversation_id', 'sender_id', 'topic', 'features', 'read_by_sender', 'deleted'])
      .where('id', 'in', each(ids))
      .orderBy('id'),
  ),
  /**
   * Groups messages of one conversation by topic, the topic of the first message first. Topics that differ only in letter case
   * are one topic, in the spelling of its newest message.
   */
  byTopic: (
    reader: Reader,
    conversationId: number,
    ids: readonly number[],
  ): { readonly topic: string; readonly ids: number[] }[] =>
    selectByTopic(reader, conversationId, ids).map(({ topic, ids: list }) => ({ topic, ids: parseIds(list) })),
  /** @returns the newest message id up to `upTo`, 0 if there is none. Deleted messages count. */
  newestId: (reader: Reader, conversationId: number, upTo = Number.MAX_SAFE_INTEGER): number =>
    selectNewest(reader, conversationId, upTo) ?? 0,
  previousId: (reader: Reader, conversationId: number, id: number): number =>
    messageHeaders.newestId(reader, conversationId, id - 1),
  firstAfter: queries.value((query, conversationId: Value<number>, id: Value<number>) =>
    query
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .where('id', '>', id)
      .where('deleted', 'is', null)
      .orderBy('id')
      .limit(1),
  ),
  mentioningAll: queries.values(
    (query, conversationId: Value<number>, after: Value<number>, upTo: Value<number>, most: Value<number>) =>
      query
        .selectFrom('message')
        .select('id')
        .where('conversation_id', '=', conversationId)
        .where(sql<boolean>`features & ${sql.lit(featureBits.mentionsAll)}`)
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .orderBy('id', 'desc')
        .limit(most),
  ),
  *idsDown(reader: Reader, conversationId: number, { after, upTo }: Span): Generator<number, void> {
    for (let highest = upTo; ;) {
      const page = parseIds(selectIdsDown(reader, conversationId, after, highest, idsPerPage) ?? '[]');
      yield* page;
      if (page.length < idsPerPage) return;
      highest = (page.at(-1) ?? 0) - 1;
    }
  },
};

export function readableHeaders(reader: Reader, viewer: Viewer, ids: readonly number[]): MessageHeader[] {
  const mayReadThis = mayReadEach(reader, viewer);
  return messageHeaders.of(reader, ids).filter((header) => header.deleted === null && mayReadThis(header));
}

/** @throws ChatError the same `Invalid message(s)` for a missing, deleted or unreadable message, to reveal no difference. */
export function readableHeader(reader: Reader, viewer: Viewer, id: number): MessageHeader {
  const [header] = readableHeaders(reader, viewer, [id]);
  if (!header) throw refused.invalidMessages();
  return header;
}

/** Events about a message reach all members who can see its stream or take part in its direct conversation. */
export function audienceOfMessage(reader: Reader, { conversation_id }: Pick<MessageHeader, 'conversation_id'>) {
  const stream = streams.byId(reader, conversation_id);
  return stream ? audienceOf(stream) : ({ reach: 'members', reachId: conversation_id } as const);
}

/** @returns -1 if the member received no message. */
export const newestReceivedId = (reader: Reader, userId: number): number => selectNewestReceived(reader, userId) ?? -1;
