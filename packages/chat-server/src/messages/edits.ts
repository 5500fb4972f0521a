import { type EditEntry, maxEarlierContentShown } from '@engawa/protocol';
import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

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

const insertEdits = statement<{
  ids: string;
  user_id: number;
  timestamp: number;
  corrected_id: number | null;
  topic: string | null;
}>()((query, value) =>
  query
    .insertInto('message_edit')
    .columns(['message_id', 'user_id', 'timestamp', 'prev_content', 'prev_topic', 'topic'])
    .expression((build) =>
      build
        .selectFrom('message')
        .select([
          'id as message_id',
          sql<number>`${value.user_id}`.as('user_id'),
          sql<number>`${value.timestamp}`.as('timestamp'),
          sql<string | null>`iif(id = ${value.corrected_id}, content, NULL)`.as('prev_content'),
          sql<string | null>`iif(${value.topic} IS NULL, NULL, topic)`.as('prev_topic'),
          sql<string | null>`${value.topic}`.as('topic'),
        ])
        .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
        .orderBy('id'),
    ),
);
const selectEdit = statement<{ id: number }>()((query, value) =>
  query.selectFrom('message_edit').selectAll().where('id', '=', value.id),
);
const selectNewest = statement<{ message_id: number }>()((query, value) =>
  query.selectFrom('message_edit').select('id').where('message_id', '=', value.message_id).orderBy('id', 'desc').limit(1),
);
const selectEdits = statement<{ message_id: number }>()((query, value) =>
  query.selectFrom('message_edit').selectAll().where('message_id', '=', value.message_id).orderBy('id', 'desc'),
);
const selectEditsAlone = statement<{ message_id: number }>()((query, value) =>
  query
    .selectFrom('message_edit')
    .select(['id', 'message_id', 'user_id', 'timestamp', 'prev_topic', 'topic'])
    .select(sql<null>`NULL`.as('prev_content'))
    .where('message_id', '=', value.message_id)
    .orderBy('id', 'desc'),
);
const countCorrections = statement<{ message_id: number }>()((query, value) =>
  query
    .selectFrom('message_edit')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('message_id', '=', value.message_id)
    .where('prev_content', 'is not', null),
);
const forgetTopics = statement<{ ids: string; most: number }>()((query, value) =>
  query.deleteFrom('message_edit').where('id', 'in', (numbered) =>
    numbered
      .selectFrom((moves) =>
        moves
          .selectFrom('message_edit')
          .select(['id', sql<number>`row_number() OVER (PARTITION BY message_id ORDER BY id DESC)`.as('place')])
          .where('message_id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`)
          .where('prev_content', 'is', null)
          .as('moves'),
      )
      .select('id')
      .where('place', '>', value.most),
  ),
);
const deleteEdits = statement<{ message_id: number }>()((query, value) =>
  query.deleteFrom('message_edit').where('message_id', '=', value.message_id),
);

/** What stood in messages before their corrections: at most `maxEditsPerMessage` contents and topics of each. */
export const edits = {
  /** Keeps what is there now. */
  keep: (tx: Transaction, { ids, by, correctedId, topic, now }: Edit) =>
    tx.run(insertEdits, {
      ids: JSON.stringify(ids),
      user_id: by,
      timestamp: now,
      corrected_id: correctedId,
      topic,
    }),
  byId: (reader: Reader, id: number) => reader.get(selectEdit, { id }),
  newestId: (reader: Reader, messageId: number) => reader.get(selectNewest, { message_id: messageId })?.id,
  /** The newest first. */
  of: (reader: Reader, messageId: number) => reader.all(selectEdits, { message_id: messageId }),
  /** The same without the contents, which are not read. */
  withoutContents: (reader: Reader, messageId: number): EditRow[] => reader.all(selectEditsAlone, { message_id: messageId }),
  /** How often the content was corrected. */
  corrections: (reader: Reader, messageId: number): number => reader.get(countCorrections, { message_id: messageId })?.count ?? 0,
  /** Lets go of the oldest changes of nothing but the topic, so that the newest `most` are left of each message. */
  forgetTopics: (tx: Transaction, ids: readonly number[], most: number) =>
    tx.run(forgetTopics, { ids: JSON.stringify(ids), most }),
  deleteOf: (tx: Transaction, messageId: number) => tx.run(deleteEdits, { message_id: messageId }),
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
