import { sql } from 'kysely';
import type { Span } from '../conversations/access.ts';
import { lastOfBlocks } from '../conversations/blocks.ts';
import { type Columns, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { type Row, queries } from '../schema.ts';
import { type ReadRanges, parseRanges } from './ranges.ts';
import { type SentMessage, isReadAsSender, readStates } from './store.ts';

/** Ranges in JSON, as `ownedRange` makes them. They may be next to each other. */
const rangesOfRows = sql<string>`json_group_array(
  json_array(
    (SELECT coalesce(max(id), 0) + 1 FROM message AS former WHERE former.conversation_id = own.conversation_id AND former.id < own.id),
    own.id
  ) ORDER BY own.id
)`;

/** SQLite could choose an index and then search each conversation. */
const own = sql<Row<'message'>>`message`.as<'own'>(sql`own NOT INDEXED`);

const selectRecent = queries.rows((query, userId: Value<number>) =>
  query
    .selectFrom(own)
    .select(['conversation_id', rangesOfRows.as('ranges')])
    .where('id', '>', lastOfBlocks)
    .where('sender_id', '=', userId)
    .where('read_by_sender', '=', 1)
    .groupBy('conversation_id'),
);
const selectBlock = queries.rows((query, span: Columns<Span>) =>
  query
    .selectFrom(own)
    .select(['conversation_id', 'sender_id', rangesOfRows.as('ranges')])
    .where('id', '>', span.after)
    .where('id', '<=', span.upTo)
    .where('read_by_sender', '=', 1)
    .groupBy(['conversation_id', 'sender_id']),
);
const unmark = queries.run((query, ids: Value<readonly number[]>) =>
  query.updateTable('message').set({ read_by_sender: 0 }).where('id', 'in', each(ids)),
);

/** By conversation. */
export type OwnRanges = ReadonlyMap<number, ReadRanges>;

export const ownMessages = {
  /** By conversation, what the member has read as a sender and ranges may lack. At most a block is searched: some 0.1 ms, or 1 ms if they sent all of it. */
  recent: (reader: Reader, userId: number): OwnRanges =>
    new Map(selectRecent(reader, userId).map(({ conversation_id, ranges }) => [conversation_id, parseRanges(ranges)])),

  /** The work grows with the senders of the block, of which there can be as many as messages. */
  addBlock(tx: Transaction, block: Span): void {
    for (const { conversation_id, sender_id, ranges } of selectBlock(tx, block)) {
      readStates.add(tx, sender_id, conversation_id, parseRanges(ranges));
    }
  },

  /** @param messages that become unread for the member. */
  markUnread(tx: Transaction, userId: number, messages: readonly SentMessage[]): void {
    const read = messages.filter((message) => isReadAsSender(userId, message));
    unmark(
      tx,
      read.map(({ id }) => id),
    );
  },
};
