import type { Columns, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';

export type ReactionRow = Row<'reaction'>;

export const reactions = {
  insert: queries.run((query, reaction: Columns<Omit<ReactionRow, 'id'>>) =>
    query.insertInto('reaction').values({
      message_id: reaction.message_id,
      user_id: reaction.user_id,
      emoji_name: reaction.emoji_name,
      emoji_code: reaction.emoji_code,
      reaction_type: reaction.reaction_type,
    }),
  ),
  delete: queries.run((query, id: Value<number>) => query.deleteFrom('reaction').where('id', '=', id)),
  deleteOf: queries.run((query, messageId: Value<number>) => query.deleteFrom('reaction').where('message_id', '=', messageId)),
  /** The oldest first, at most `maxReactionsPerMessage`. */
  of: queries.rows((query, messageId: Value<number>) =>
    query.selectFrom('reaction').selectAll().where('message_id', '=', messageId).orderBy('id'),
  ),
};
