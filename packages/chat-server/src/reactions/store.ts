import type { Reader, Transaction } from '../database/index.ts';
import { type Row, statement } from '../schema.ts';

export type ReactionRow = Row<'reaction'>;

const insertReaction = statement<Omit<ReactionRow, 'id'>>()((query, value) =>
  query.insertInto('reaction').values({
    message_id: value.message_id,
    user_id: value.user_id,
    emoji_name: value.emoji_name,
    emoji_code: value.emoji_code,
    reaction_type: value.reaction_type,
  }),
);
const deleteReaction = statement<{ id: number }>()((query, value) => query.deleteFrom('reaction').where('id', '=', value.id));
const deleteOfMessage = statement<{ message_id: number }>()((query, value) =>
  query.deleteFrom('reaction').where('message_id', '=', value.message_id),
);
const selectOfMessage = statement<{ message_id: number }>()((query, value) =>
  query.selectFrom('reaction').selectAll().where('message_id', '=', value.message_id).orderBy('id'),
);

export const reactions = {
  insert: (tx: Transaction, reaction: Omit<ReactionRow, 'id'>) => tx.run(insertReaction, reaction),
  delete: (tx: Transaction, id: number) => tx.run(deleteReaction, { id }),
  deleteOf: (tx: Transaction, messageId: number) => tx.run(deleteOfMessage, { message_id: messageId }),
  /** The oldest first; at most `maxReactionsPerMessage`. */
  of: (reader: Reader, messageId: number): ReactionRow[] => reader.all(selectOfMessage, { message_id: messageId }),
};
