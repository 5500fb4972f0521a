import type { Columns, Value } from '../database/index.ts';
import { type Row, columns, queries } from '../schema.ts';

export type ReactionRow = Row<'reaction'>;

export const reactions = {
  insert: queries.run((query, reaction: Columns<Omit<ReactionRow, 'id'>>) =>
    query
      .insertInto('reaction')
      .values(columns(reaction, ['message_id', 'user_id', 'emoji_name', 'emoji_code', 'reaction_type'])),
  ),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('reaction').where('id', '=', id)),
  deleteOf: queries.run((query, messageId: Value<number>) => query.deleteFrom('reaction').where('message_id', '=', messageId)),
  /** The oldest first, at most `maxReactionsPerMessage`. */
  of: queries.rows((query, messageId: Value<number>) =>
    query.selectFrom('reaction').selectAll().where('message_id', '=', messageId).orderBy('id'),
  ),
};
