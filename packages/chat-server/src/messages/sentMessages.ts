import { type Direction, type Span, orderOf } from '../conversations/access.ts';
import type { Columns, Reader, Transaction, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';
import { sql } from 'kysely';

/**
 * The messages of each sender, in the table `sent_message`, for the narrow `sender`. They are added in blocks of this many ids. If each
 * send added its own message, a commit of many sends would write one more page for each sender. The size never changes, because the
 * migration has added all blocks of this size.
 */
const blockSize = 1000;

const insertBlock = queries.run((query, span: Columns<Span>) =>
  query
    .insertInto('sent_message')
    .columns(['conversation_id', 'sender_id', 'message_id'])
    .expression((build) =>
      build
        .selectFrom('message')
        .select(['conversation_id', 'sender_id', 'id'])
        .where('id', '>', span.after)
        .where('id', '<=', span.upTo)
        .orderBy('conversation_id')
        .orderBy('sender_id')
        .orderBy('id'),
    ),
);

/** The messages of the last block, which is not complete, are read one by one. */
const lastAdded = sql<number>`(SELECT max(id) / ${sql.lit(blockSize)} * ${sql.lit(blockSize)} FROM message)`;

interface Sent {
  readonly conversationId: number;
  readonly senderId: number;
}

const selectIds = (direction: Direction) =>
  queries.values((query, { conversationId, senderId }: Columns<Sent>, { after, upTo }: Columns<Span>, most: Value<number>) =>
    query
      .selectFrom('sent_message')
      .select('message_id as id')
      .where('conversation_id', '=', conversationId)
      .where('sender_id', '=', senderId)
      .where('message_id', '>', after)
      .where('message_id', '<=', upTo)
      .unionAll((build) =>
        build
          .selectFrom(sql<Row<'message'>>`message`.as<'message'>(sql`message INDEXED BY message_of_conversation`))
          .select('id')
          .where('conversation_id', '=', conversationId)
          .where('id', '>', sql<number>`max(${after}, ${lastAdded})`)
          .where('id', '<=', upTo)
          .where('sender_id', '=', senderId),
      )
      .orderBy('id', orderOf[direction])
      .limit(most),
  );
const ids = { up: selectIds('up'), down: selectIds('down') };

export const sentMessages = {
  /** Call it for each new message. Their ids have no gaps. */
  note(tx: Transaction, id: number): void {
    if (id % blockSize === 0) insertBlock(tx, { after: id - blockSize, upTo: id });
  },

  idsIn: (reader: Reader, sent: Sent, span: Span, direction: Direction, most: number): number[] =>
    ids[direction](reader, sent, span, most),
};
