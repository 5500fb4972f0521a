import { type Direction, type Span, orderOf } from '../conversations/access.ts';
import { lastOfBlocks } from '../conversations/blocks.ts';
import type { Columns, Reader, Value } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';
import { sql } from 'kysely';

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
          .where('id', '>', sql<number>`max(${after}, ${lastOfBlocks})`)
          .where('id', '<=', upTo)
          .where('sender_id', '=', senderId),
      )
      .orderBy('id', orderOf[direction])
      .limit(most),
  );
const ids = { up: selectIds('up'), down: selectIds('down') };

/** The messages of each sender, for the narrow `sender`: those of complete blocks in the table `sent_message`. */
export const sentMessages = {
  addBlock: insertBlock,

  idsIn: (reader: Reader, sent: Sent, span: Span, direction: Direction, most: number): number[] =>
    ids[direction](reader, sent, span, most),
};
