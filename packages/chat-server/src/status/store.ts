import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type StatusRow = Row<'user_status'>;

const selectAll = statement()((query) =>
  query
    .selectFrom('user_status')
    .innerJoin('user', 'user.id', 'user_status.user_id')
    .selectAll('user_status')
    .where('user.is_active', '=', 1),
);
const selectOne = statement<{ user_id: number }>()((query, value) =>
  query.selectFrom('user_status').selectAll().where('user_id', '=', value.user_id),
);
const selectEnded = statement<{ now: number; most: number }>()((query, value) =>
  query
    .selectFrom('user_status')
    .select('user_id')
    .where('ends', 'is not', null)
    .where('ends', '<=', value.now)
    .orderBy('ends')
    .limit(value.most),
);
const put = statement<StatusRow>()((query, value) =>
  query
    .insertInto('user_status')
    .values({
      user_id: value.user_id,
      status_text: value.status_text,
      emoji_name: value.emoji_name,
      emoji_code: value.emoji_code,
      reaction_type: value.reaction_type,
      ends: value.ends,
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        status_text: value.status_text,
        emoji_name: value.emoji_name,
        emoji_code: value.emoji_code,
        reaction_type: value.reaction_type,
        ends: value.ends,
      }),
    ),
);
const remove = statement<{ user_id: number }>()((query, value) =>
  query.deleteFrom('user_status').where('user_id', '=', value.user_id),
);

/** What members say of themselves at the moment: one row each at most. */
export const statuses = {
  /** Of active users. */
  all: (reader: Reader): StatusRow[] => reader.all(selectAll, {}),
  of: (reader: Reader, userId: number): StatusRow | undefined => reader.get(selectOne, { user_id: userId }),
  /** Whose status was to end by now, the first first. */
  ended: (reader: Reader, now: number, most: number): number[] =>
    reader.all(selectEnded, { now, most }).map(({ user_id }) => user_id),
  put: (tx: Transaction, row: StatusRow) => tx.run(put, { ...row }),
  remove: (tx: Transaction, userId: number) => tx.run(remove, { user_id: userId }),
};
