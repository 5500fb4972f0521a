import { type Columns, type Reader, type Transaction, type Value, each } from '@engawa/chat-server/database';
import { type Schema, queries } from '../../../database/schema.ts';

export const putAway = {
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('put_away').select(['stream_id', 'newest_message']).where('user_id', '=', userId),
  ),
  count: queries.value((query, userId: Value<number>) =>
    query
      .selectFrom('put_away')
      .select((build) => build.fn.countAll<number>().as('count'))
      .where('user_id', '=', userId),
  ),
  /** @returns 0 if the stream is archived already. */
  add: queries.run((query, { user_id, stream_id, newest_message }: Columns<Schema['put_away']>) =>
    query
      .insertInto('put_away')
      .values({ user_id, stream_id, newest_message })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  /** @returns 0 if the stream is not archived. */
  remove: queries.run((query, userId: Value<number>, streamId: Value<number>) =>
    query.deleteFrom('put_away').where('user_id', '=', userId).where('stream_id', '=', streamId),
  ),
};

export const ownSettings = {
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('own_setting').select(['name', 'value']).where('user_id', '=', userId),
  ),
  put: queries.run((query, user_id: Value<number>, name: Value<string>, value: Value<string>) =>
    query
      .insertInto('own_setting')
      .values({ user_id, name, value })
      .onConflict((conflict) => conflict.columns(['user_id', 'name']).doUpdateSet({ value })),
  ),
};

export type DraftRow = Omit<Schema['draft'], 'id'> & { readonly id: number };
export type WrittenDraft = Pick<DraftRow, 'type' | 'recipients' | 'topic' | 'content' | 'edited'>;

const insertDraft = queries.value(
  (query, user_id: Value<number>, { type, recipients, topic, content, edited }: Columns<WrittenDraft>) =>
    query.insertInto('draft').values({ user_id, type, recipients, topic, content, edited, revision: 0 }).returning('id'),
);
const selectDraftSize = queries.row((query, userId: Value<number>) =>
  query
    .selectFrom('draft')
    .select((build) => [
      build.fn.countAll<number>().as('count'),
      build.fn.sum<number | null>(build.fn('octet_length', ['content'])).as('bytes'),
    ])
    .where('user_id', '=', userId),
);

/** Every statement names the member, so that nobody reaches the drafts of others. */
export const drafts = {
  /** The draft with the oldest edit comes first. */
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('draft').selectAll().where('user_id', '=', userId).orderBy('edited').orderBy('id'),
  ),
  one: queries.row((query, userId: Value<number>, id: Value<number>) =>
    query.selectFrom('draft').selectAll().where('id', '=', id).where('user_id', '=', userId),
  ),
  size(reader: Reader, userId: number): { readonly count: number; readonly bytes: number } {
    const { count = 0, bytes } = selectDraftSize(reader, userId) ?? {};
    return { count, bytes: bytes ?? 0 };
  },
  insert(tx: Transaction, userId: number, draft: WrittenDraft): number {
    const id = insertDraft(tx, userId, draft);
    if (id === undefined) throw new TypeError('an inserted draft has an id');
    return id;
  },
  replace: queries.run(
    (query, userId: Value<number>, id: Value<number>, { type, recipients, topic, content, edited }: Columns<WrittenDraft>) =>
      query
        .updateTable('draft')
        .set((build) => ({ type, recipients, topic, content, edited, revision: build('revision', '+', 1) }))
        .where('id', '=', id)
        .where('user_id', '=', userId),
  ),
  remove: queries.run((query, userId: Value<number>, id: Value<number>) =>
    query.deleteFrom('draft').where('id', '=', id).where('user_id', '=', userId),
  ),
  removeAll: queries.run((query, userId: Value<number>) => query.deleteFrom('draft').where('user_id', '=', userId)),
};

export type Tombstone = Schema['tombstone'];

export const tombstones = {
  /** The newest first, between two message ids that are not included. */
  between: queries.rows((query, conversation: Value<string>, after: Value<number>, before: Value<number>, most: Value<number>) =>
    query
      .selectFrom('tombstone')
      .selectAll()
      .where('conversation', '=', conversation)
      .where('message_id', '>', after)
      .where('message_id', '<', before)
      .orderBy('message_id', 'desc')
      .limit(most),
  ),
  among: queries.values((query, messageIds: Value<readonly number[]>) =>
    query.selectFrom('tombstone').select('message_id').where('message_id', 'in', each(messageIds)),
  ),
  add: queries.run((query, { message_id, conversation, topic, sender_id, timestamp }: Columns<Tombstone>) =>
    query
      .insertInto('tombstone')
      .values({ message_id, conversation, topic, sender_id, timestamp })
      .onConflict((conflict) => conflict.doNothing()),
  ),
};
