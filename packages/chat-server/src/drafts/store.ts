import type { Columns, Reader, Transaction, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export type DraftRow = Row<'draft'>;
const written = ['type', 'recipients', 'topic', 'content', 'edited'] as const;
export type WrittenDraft = Pick<DraftRow, (typeof written)[number]>;

const insert = queries.insert((query, row: Columns<WrittenDraft & Pick<DraftRow, 'user_id'>>) =>
  query.insertInto('draft').values({ ...columns(row, ['user_id', ...written]), revision: 0 }),
);
const replace = queries.run((query, id: Value<number>, row: Columns<WrittenDraft>) =>
  query
    .updateTable('draft')
    .set((build) => ({ ...columns(row, written), revision: build('revision', '+', 1) }))
    .where('id', '=', id),
);
const removeById = queries.run((query, id: Value<number>) => query.deleteFrom('draft').where('id', '=', id));
const selectSize = queries.row((query, userId: Value<number>) =>
  query
    .selectFrom('draft')
    .select((build) => [
      build.fn.countAll<number>().as('count'),
      build.fn.sum<number | null>(build.fn('octet_length', ['content'])).as('bytes'),
    ])
    .where('user_id', '=', userId),
);

/** Drafts are looked up by their member, and changed by a row that was looked up, so that nobody reaches the drafts of others. */
export const drafts = {
  /** The draft with the oldest edit comes first. */
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('draft').selectAll().where('user_id', '=', userId).orderBy('edited').orderBy('id'),
  ),
  one: queries.row((query, userId: Value<number>, id: Value<number>) =>
    query.selectFrom('draft').selectAll().where('id', '=', id).where('user_id', '=', userId),
  ),
  /** The number of a member's drafts and the bytes of their contents. */
  size(reader: Reader, userId: number): { readonly count: number; readonly bytes: number } {
    const { count = 0, bytes } = selectSize(reader, userId) ?? {};
    return { count, bytes: bytes ?? 0 };
  },
  insert: (tx: Transaction, userId: number, draft: WrittenDraft): number => insert(tx, { user_id: userId, ...draft }),
  replace: (tx: Transaction, { id }: DraftRow, draft: WrittenDraft): void => void replace(tx, id, draft),
  remove: (tx: Transaction, { id }: DraftRow): void => void removeById(tx, id),
  removeAll: queries.run((query, userId: Value<number>) => query.deleteFrom('draft').where('user_id', '=', userId)),
};
