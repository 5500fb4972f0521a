import { type EditEntry, maxEarlierContentShown } from '@engawa/protocol';
import { sql } from 'kysely';
import { type Reader, type Value, each } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type EditRow = Row<'message_edit'>;

/** The former contents and former topics of messages, at most `maxEditsPerMessage` of each per message. */
export const edits = {
  /** Stores a message's state before an edit. @param contentId the message whose content changes. @param topic the new topic. */
  insert: queries.run(
    (
      query,
      ids: Value<readonly number[]>,
      userId: Value<number>,
      timestamp: Value<number>,
      contentId: Value<number | null>,
      topic: Value<string | null>,
    ) =>
      query
        .insertInto('message_edit')
        .columns(['message_id', 'user_id', 'timestamp', 'prev_content', 'prev_topic', 'topic'])
        .expression((build) =>
          build
            .selectFrom('message')
            .select([
              'id as message_id',
              sql<number>`${userId}`.as('user_id'),
              sql<number>`${timestamp}`.as('timestamp'),
              sql<string | null>`iif(id = ${contentId}, content, NULL)`.as('prev_content'),
              sql<string | null>`iif(${topic} IS NULL, NULL, topic)`.as('prev_topic'),
              sql<string | null>`${topic}`.as('topic'),
            ])
            .where('id', 'in', each(ids))
            .orderBy('id'),
        ),
  ),
  byId: queries.row((query, id: Value<number>) => query.selectFrom('message_edit').selectAll().where('id', '=', id)),
  newestId: queries.value((query, messageId: Value<number>) =>
    query.selectFrom('message_edit').select('id').where('message_id', '=', messageId).orderBy('id', 'desc').limit(1),
  ),
  of: queries.rows((query, messageId: Value<number>) =>
    query.selectFrom('message_edit').selectAll().where('message_id', '=', messageId).orderBy('id', 'desc'),
  ),
  withoutContents: queries.rows((query, messageId: Value<number>) =>
    query
      .selectFrom('message_edit')
      .select(['id', 'message_id', 'user_id', 'timestamp', 'prev_topic', 'topic'])
      .select(sql<null>`NULL`.as('prev_content'))
      .where('message_id', '=', messageId)
      .orderBy('id', 'desc'),
  ),
  contentEdits: queries.rows((query, messageId: Value<number>) =>
    query.selectFrom('message_edit').select('id').where('message_id', '=', messageId).where('prev_content', 'is not', null),
  ),
  /** Keeps the newest `most` topic changes of each message, and all edits that changed the content. */
  deleteOldMoves: queries.run((query, ids: Value<readonly number[]>, most: Value<number>) =>
    query.deleteFrom('message_edit').where('id', 'in', (numbered) =>
      numbered
        .selectFrom((moves) =>
          moves
            .selectFrom('message_edit')
            .select(['id', sql<number>`row_number() OVER (PARTITION BY message_id ORDER BY id DESC)`.as('place')])
            .where('message_id', 'in', each(ids))
            .where('prev_content', 'is', null)
            .as('moves'),
        )
        .select('id')
        .where('place', '>', most),
    ),
  ),
  deleteOf: queries.run((query, messageId: Value<number>) =>
    query.deleteFrom('message_edit').where('message_id', '=', messageId),
  ),
};

/** One answer shows at most `maxEarlierContentShown` characters of former contents. Contents beyond this limit are not read. */
export function editViews(reader: Reader): (messageId: number, html?: (content: string) => string) => EditEntry[] {
  let left = maxEarlierContentShown;
  const view = (edit: EditRow, html?: (content: string) => string): EditEntry => {
    const { user_id, timestamp, prev_content, prev_topic, topic } = edit;
    left -= prev_content?.length ?? 0;
    return {
      user_id,
      timestamp,
      ...(prev_content === null || left < 0 ? {} : { prev_content }),
      ...(prev_content === null || left < 0 || !html ? {} : { prev_rendered_content: html(prev_content) }),
      ...(prev_topic === null ? {} : { prev_topic }),
      ...(topic === null ? {} : { topic }),
    };
  };
  return (messageId, html) => {
    const all = left > 0 ? edits.of(reader, messageId) : edits.withoutContents(reader, messageId);
    return all.map((edit) => view(edit, html));
  };
}
