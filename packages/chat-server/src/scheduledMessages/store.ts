import { sql } from 'kysely';
import type { Columns, Reader, Transaction, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export type ScheduledRow = Row<'scheduled_message'>;
const written = ['type', 'recipients', 'topic', 'content', 'client', 'due'] as const;
export type WrittenScheduled = Pick<ScheduledRow, (typeof written)[number]>;

const insert = queries.insert((query, row: Columns<WrittenScheduled & Pick<ScheduledRow, 'user_id'>>) =>
  query.insertInto('scheduled_message').values({ ...columns(row, ['user_id', ...written]), failed: 0 }),
);
const count = queries.value((query, userId: Value<number>) =>
  query
    .selectFrom('scheduled_message')
    .select((build) => build.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId),
);

/** Members reach only their own messages, because each look-up names the member. */
export const scheduledMessages = {
  of: queries.rows((query, userId: Value<number>) =>
    query.selectFrom('scheduled_message').selectAll().where('user_id', '=', userId).orderBy('due').orderBy('id'),
  ),
  one: queries.row((query, userId: Value<number>, id: Value<number>) =>
    query.selectFrom('scheduled_message').selectAll().where('id', '=', id).where('user_id', '=', userId),
  ),
  /** A message of the member that has this text. */
  naming: queries.value((query, userId: Value<number>, text: Value<string>) =>
    query
      .selectFrom('scheduled_message')
      .select('id')
      .where('user_id', '=', userId)
      .where(sql<boolean>`instr(content, ${text}) > 0`)
      .limit(1),
  ),
  count: (reader: Reader, userId: number): number => count(reader, userId) ?? 0,
  insert: (tx: Transaction, userId: number, message: WrittenScheduled): number => insert(tx, { user_id: userId, ...message }),
  /** The message counts as not tried. */
  replace: queries.run((query, id: Value<number>, row: Columns<WrittenScheduled>) =>
    query
      .updateTable('scheduled_message')
      .set({ ...columns(row, written), failed: 0 })
      .where('id', '=', id),
  ),
  remove: queries.run((query, id: Value<number>) => query.deleteFrom('scheduled_message').where('id', '=', id)),
  noteFailure: queries.run((query, id: Value<number>) =>
    query.updateTable('scheduled_message').set({ failed: 1 }).where('id', '=', id),
  ),
  /** The condition is a literal, because only then SQLite uses the index of waiting messages. */
  due: queries.rows((query, now: Value<number>, most: Value<number>) =>
    query
      .selectFrom('scheduled_message')
      .selectAll()
      .where('failed', '=', sql.lit(0))
      .where('due', '<=', now)
      .orderBy('due')
      .limit(most),
  ),
};
