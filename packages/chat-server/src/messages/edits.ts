import { type EditEntry, maxEarlierContentShown } from '@engawa/protocol';
import { sql } from 'kysely';
import { type Reader, type Transaction, each, type Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type EditRow = Row<'message_edit'>;

/** A change of several messages that is about to be made. */
interface Edit {
  readonly ids: readonly number[];
  readonly by: number;
  /** The one of them whose content changes; null when none does. */
  readonly correctedId: number | null;
  /** The topic that they get; null when they keep theirs. */
  readonly topic: string | null;
  readonly now: number;
}

const insertEdits = queries.run(
  (
    query,
    ids: Value<readonly number[]>,
    user_id: Value<number>,
    timestamp: Value<number>,
    corrected_id: Value<number | null>,
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
            sql<number>`${user_id}`.as('user_id'),
            sql<number>`${timestamp}`.as('timestamp'),
            sql<string | null>`iif(id = ${corrected_id}, content, NULL)`.as('prev_content'),
            sql<string | null>`iif(${topic} IS NULL, NULL, topic)`.as('prev_topic'),
            sql<string | null>`${topic}`.as('topic'),
          ])
          .where('id', 'in', each(ids))
          .orderBy('id'),
      ),
);

const countCorrections = queries.row((query, message_id: Value<number>) =>
  query
    .selectFrom('message_edit')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('message_id', '=', message_id)
    .where('prev_content', 'is not', null),
);

/** What stood in messages before their corrections: at most `maxEditsPerMessage` contents and topics of each. */
export const edits = {
  /** Keeps what is there now. */
  keep: (tx: Transaction, { ids, by, correctedId, topic, now }: Edit) => insertEdits(tx, ids, by, now, correctedId, topic),
  byId: queries.row((query, id: Value<number>) => query.selectFrom('message_edit').selectAll().where('id', '=', id)),
  newestId: queries.value((query, messageId: Value<number>) =>
    query.selectFrom('message_edit').select('id').where('message_id', '=', messageId).orderBy('id', 'desc').limit(1),
  ),
  /** The newest first. */
  of: queries.rows((query, messageId: Value<number>) =>
    query.selectFrom('message_edit').selectAll().where('message_id', '=', messageId).orderBy('id', 'desc'),
  ),
  /** The same without the contents, which are not read. */
  withoutContents: queries.rows((query, messageId: Value<number>) =>
    query
      .selectFrom('message_edit')
      .select(['id', 'message_id', 'user_id', 'timestamp', 'prev_topic', 'topic'])
      .select(sql<null>`NULL`.as('prev_content'))
      .where('message_id', '=', messageId)
      .orderBy('id', 'desc'),
  ),
  /** How often the content was corrected. */
  corrections: (reader: Reader, messageId: number): number => countCorrections(reader, messageId)?.count ?? 0,
  /** Lets go of the oldest changes of nothing but the topic, so that the newest `most` are left of each message. */
  forgetTopics: queries.run((query, ids: Value<readonly number[]>, most: Value<number>) =>
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

/**
 * The corrections of messages, the newest first, as one answer shows them: with earlier contents, as far as
 * `maxEarlierContentShown`, and as HTML where somebody asks for it. Then contents are not even read.
 */
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
