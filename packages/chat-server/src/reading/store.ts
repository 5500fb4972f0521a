import type { Span } from '../conversations/access.ts';
import { type Columns, type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { type Row, type Schema, queries } from '../schema.ts';
import { type Kysely, sql } from 'kysely';
import {
  type ReadRanges,
  appended,
  divided,
  includesAll,
  lastRead,
  mostCharacters,
  parseRanges,
  union,
  writeRanges,
} from './ranges.ts';

/** Flags that rows store. `read` is stored as ranges, and a mention of everyone as a feature of the message. */
export const flagBits = { starred: 1, collapsed: 2, mentioned: 4, has_alert_word: 8 } as const;
export type StoredFlag = keyof typeof flagBits;

/** The newest block of a conversation also covers all future message ids. */
const endless = Number.MAX_SAFE_INTEGER;
const always: Span = { after: 0, upTo: endless };

const selectNewest = queries.rows((query, conversationId: Value<number>, userIds: Value<readonly number[]>) =>
  query
    .selectFrom('read_block')
    .select(['user_id', 'began', 'ranges'])
    .where('user_id', 'in', each(userIds))
    .where('conversation_id', '=', conversationId)
    .where('up_to', '=', sql.lit(endless)),
);
/** The blocks of a conversation stand together, so this is faster than a look-up of each of its users. */
const selectNewestIn = queries.rows((query, conversationId: Value<number>) =>
  query
    .selectFrom('read_block')
    .select(['user_id', 'began', 'ranges'])
    .where('conversation_id', '=', conversationId)
    .where('up_to', '=', sql.lit(endless)),
);
const selectNewestOf = queries.rows((query, userId: Value<number>, conversationIds: Value<readonly number[]>) =>
  query
    .selectFrom('read_block')
    .select(['conversation_id', 'began', 'ranges'])
    .where('user_id', '=', userId)
    .where('conversation_id', 'in', each(conversationIds))
    .where('up_to', '=', sql.lit(endless)),
);
const selectNewestOfOne = queries.row((query, userId: Value<number>, conversationId: Value<number>) =>
  query
    .selectFrom('read_block')
    .select(['began', 'ranges'])
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId)
    .where('up_to', '=', sql.lit(endless)),
);
/** Blocks of a user. SQLite would otherwise search among those of all users, which stand together. */
const blocksOf = (query: Kysely<Schema>) =>
  query.selectFrom(sql<Row<'read_block'>>`read_block`.as<'read_block'>(sql`read_block INDEXED BY read_block_of_user`));
const selectAt = queries.row((query, userId: Value<number>, conversationId: Value<number>, id: Value<number>) =>
  blocksOf(query)
    .select(['began', 'up_to', 'ranges'])
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId)
    .where('up_to', '>=', id)
    .orderBy('up_to')
    .limit(1),
);
const selectBetween = queries.rows(
  (query, userId: Value<number>, conversationId: Value<number>, first: Value<number>, last: Value<number>) =>
    blocksOf(query)
      .select(['began', 'up_to', 'ranges'])
      .where('user_id', '=', userId)
      .where('conversation_id', '=', conversationId)
      .where('up_to', '>=', first)
      .where('began', '<=', last)
      .orderBy('up_to'),
);
const deleteBlocks = queries.run((query, userId: Value<number>, conversationId: Value<number>, upTo: Value<readonly number[]>) =>
  query
    .deleteFrom('read_block')
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId)
    .where('up_to', 'in', each(upTo)),
);
const insertBlock = queries.run((query, row: Columns<Row<'read_block'>>) =>
  query.insertInto('read_block').values({
    user_id: row.user_id,
    conversation_id: row.conversation_id,
    began: row.began,
    up_to: row.up_to,
    ranges: row.ranges,
  }),
);
const rewriteNewest = queries.run((query, userId: Value<number>, conversationId: Value<number>, ranges: Value<string>) =>
  query
    .updateTable('read_block')
    .set({ ranges })
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId)
    .where('up_to', '=', sql.lit(endless)),
);
const selectBits = queries.value((query, userId: Value<number>, messageId: Value<number>) =>
  query.selectFrom('message_flag').select('bits').where('user_id', '=', userId).where('message_id', '=', messageId),
);
const selectBitsOn = queries.rows((query, messageId: Value<number>, most: Value<number>) =>
  query.selectFrom('message_flag').select(['user_id', 'bits']).where('message_id', '=', messageId).limit(most),
);
const selectBitsOf = queries.rows((query, userIds: Value<readonly number[]>, messageId: Value<number>) =>
  query
    .selectFrom('message_flag')
    .select(['user_id', 'bits'])
    .where('user_id', 'in', each(userIds))
    .where('message_id', '=', messageId),
);
const putBits = queries.run((query, userId: Value<number>, messageId: Value<number>, bits: Value<number>) =>
  query
    .insertInto('message_flag')
    .values({ user_id: userId, message_id: messageId, bits })
    .onConflict((conflict) => conflict.columns(['user_id', 'message_id']).doUpdateSet({ bits })),
);
const deleteBits = queries.run((query, userId: Value<number>, messageId: Value<number>) =>
  query.deleteFrom('message_flag').where('user_id', '=', userId).where('message_id', '=', messageId),
);
const addBits = queries.run((query, messageId: Value<number>, bits: Value<number>, userIds: Value<readonly number[]>) =>
  query
    .insertInto('message_flag')
    .columns(['user_id', 'message_id', 'bits'])
    .expression((build) =>
      build
        .selectFrom(sql<{ value: number }>`json_each(${userIds})`.as('chosen'))
        .select('chosen.value as user_id')
        .select([sql<number>`${messageId}`.as('message_id'), sql<number>`${bits}`.as('bits')])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'message_id']).doUpdateSet({ bits: sql`message_flag.bits | excluded.bits` }),
    ),
);
const clearBits = queries.run((query, messageId: Value<number>, bits: Value<number>) =>
  query
    .updateTable('message_flag')
    .set({ bits: sql`bits & ~${bits}` })
    .where('message_id', '=', messageId)
    .where(sql<boolean>`bits & ${bits}`),
);
const deleteEmpty = queries.run((query, messageId: Value<number>) =>
  query.deleteFrom('message_flag').where('message_id', '=', messageId).where('bits', '=', 0),
);

/** Ranges of a member in a conversation, for the message ids from `began` to `up_to`, or without end. */
type Block = Pick<Row<'read_block'>, 'began' | 'ranges'> & { readonly up_to?: number };
const nothingRead: Block = { began: 0, ranges: '[]' };

/** The columns that say whether the sender of a message has read it. */
export type SentMessage = Pick<Row<'message'>, 'id' | 'sender_id' | 'read_by_sender'>;
/** Only for users that were looked up. */
export type IsRead = (userId: number, message: SentMessage) => boolean;
/**
 * Whether ranges contain the messages from `first` to `last`; undefined if they contain only some, or if more look-ups would be needed.
 * They may lack messages that the user sent.
 */
export type InRanges = (userId: number, first: number, last: number) => boolean | undefined;

/** Whether the user read a message by sending it. Its row says so, because ranges get it with a whole block (`ownMessages.ts`). */
export const isReadAsSender = (userId: number, { sender_id, read_by_sender }: SentMessage): boolean =>
  read_by_sender === 1 && sender_id === userId;

/** THE rule of what a user has read. */
export const isReadBy =
  (inRanges: InRanges): IsRead =>
  (userId, message) =>
    isReadAsSender(userId, message) || inRanges(userId, message.id, message.id) === true;

/** @param newest the newest block by user. */
function inBlocks(reader: Reader, conversationId: number, newest: ReadonlyMap<number, Block>): InRanges {
  // Callers ask for several messages of a user, one user after the other, so only the last block is kept parsed.
  let lastUser: number | undefined;
  let block: Block = nothingRead;
  let parsed: ReadRanges | undefined;
  const open = (found: Block = nothingRead) => {
    block = found;
    parsed = undefined;
  };
  return (userId, first, last) => {
    if (userId !== lastUser) open(newest.get(userId));
    lastUser = userId;
    if (first < block.began || first > (block.up_to ?? first)) open(selectAt(reader, userId, conversationId, first));
    if (last > (block.up_to ?? last)) return undefined;
    // Of a new message to 10,000 members, nothing is parsed.
    if (first > lastRead(block.ranges)) return false;
    parsed ??= parseRanges(block.ranges);
    return includesAll(parsed, first, last);
  };
}

/** Work on the newest messages, such as an event, needs one block, so it does not grow with the number of ranges. */
export const readStates = {
  /** All ranges of the blocks around a span, so the work grows with them. */
  ranges: (reader: Reader, userId: number, conversationId: number, { after, upTo }: Span = always): ReadRanges =>
    selectBetween(reader, userId, conversationId, after, upTo).flatMap(({ ranges }) => parseRanges(ranges)),
  /** Looks up the newest blocks of these users at once, and an older block when a message in it is asked for. */
  readsOf: (reader: Reader, conversationId: number, userIds: readonly number[]): IsRead =>
    isReadBy(readStates.rangesOf(reader, conversationId, userIds)),
  /** Like `readsOf`. With 'all', the work grows with the users who have read something in the conversation. */
  rangesOf(reader: Reader, conversationId: number, users: readonly number[] | 'all'): InRanges {
    const rows = users === 'all' ? selectNewestIn(reader, conversationId) : selectNewest(reader, conversationId, users);
    return inBlocks(reader, conversationId, new Map(rows.map((row) => [row.user_id, row])));
  },
  /** Like `rangesOf` for one user, by conversation. */
  rangesOfUser(reader: Reader, userId: number, conversationIds: readonly number[]): ReadonlyMap<number, InRanges> {
    const newest = new Map(selectNewestOf(reader, userId, conversationIds).map((row) => [row.conversation_id, row]));
    return new Map(conversationIds.map((id) => [id, inBlocks(reader, id, new Map([[userId, newest.get(id) ?? nothingRead]]))]));
  },
  /** @param changed ascending @param apply combines the ranges of the blocks around `changed` with `changed`. */
  change(
    tx: Transaction,
    userId: number,
    conversationId: number,
    changed: ReadRanges,
    apply: (ranges: ReadRanges, changed: ReadRanges) => ReadRanges,
  ): void {
    const [oldest, newest] = [changed[0], changed.at(-1)];
    if (!oldest || !newest) return;
    // One more id on each side, because ranges that become neighbours are joined.
    const [first, last] = [oldest[0] - 1, newest[1] + 1];
    const former = selectBetween(tx, userId, conversationId, first, last);
    deleteBlocks(
      tx,
      userId,
      conversationId,
      former.map(({ up_to }) => up_to),
    );
    const blocks = divided(
      apply(
        former.flatMap(({ ranges }) => parseRanges(ranges)),
        changed,
      ),
    );
    let began = former[0]?.began ?? 0;
    for (const [index, ranges] of blocks.entries()) {
      const isLast = index === blocks.length - 1;
      const upTo = isLast ? (former.at(-1)?.up_to ?? endless) : (ranges.at(-1)?.[1] ?? began);
      const row = { user_id: userId, conversation_id: conversationId, began, up_to: upTo, ranges: writeRanges(ranges) };
      insertBlock(tx, row);
      began = upTo + 1;
    }
  },
  /** Adds ranges that mostly follow all others. Then nothing is parsed but the last range of the newest block. @param more ascending */
  add(tx: Transaction, userId: number, conversationId: number, more: ReadRanges): void {
    const newest = selectNewestOfOne(tx, userId, conversationId);
    const longer = newest && more[0] && more[0][0] > newest.began ? appended(newest.ranges, more) : undefined;
    if (longer !== undefined && longer.length <= mostCharacters) rewriteNewest(tx, userId, conversationId, longer);
    else readStates.change(tx, userId, conversationId, more, union);
  },
};

export const messageFlags = {
  bits: (reader: Reader, userId: number, messageId: number): number => selectBits(reader, userId, messageId) ?? 0,
  /** In ascending order of messages. */
  bitsFrom: queries.rows((query, userId: Value<number>, messageId: Value<number>, most: Value<number>) =>
    query
      .selectFrom('message_flag')
      .select(['message_id', 'bits'])
      .where('user_id', '=', userId)
      .where('message_id', '>=', messageId)
      .orderBy('message_id')
      .limit(most),
  ),
  /** The bits by user id, at least of these users. The work grows with them, or with the fewer users who flagged the message. */
  bitsOf(reader: Reader, messageId: number, userIds: readonly number[]): ReadonlyMap<number, number> {
    let rows = selectBitsOn(reader, messageId, userIds.length + 1);
    if (rows.length > userIds.length) rows = selectBitsOf(reader, userIds, messageId);
    return new Map(rows.map(({ user_id, bits }) => [user_id, bits]));
  },
  put(tx: Transaction, userId: number, messageId: number, bits: number): void {
    if (bits === 0) deleteBits(tx, userId, messageId);
    else putBits(tx, userId, messageId, bits);
  },
  add(tx: Transaction, messageId: number, bit: number, userIds: readonly number[]): void {
    if (userIds.length > 0) addBits(tx, messageId, bit, userIds);
  },
  /** Clears bits for all users. The work grows with the number of users who have flags on the message. */
  clear(tx: Transaction, messageId: number, bits: number): void {
    const cleared = clearBits(tx, messageId, bits);
    if (cleared > 0) deleteEmpty(tx, messageId);
  },
  deleteOf: queries.run((query, messageId: Value<number>) =>
    query.deleteFrom('message_flag').where('message_id', '=', messageId),
  ),
  /** Messages from the id `from` on that mention a user. Searches only the newest `most` messages that the user has flagged. */
  mentionedIn: queries.values((query, userId: Value<number>, from: Value<number>, most: Value<number>) =>
    query
      .selectFrom((newest) =>
        newest
          .selectFrom('message_flag')
          .select(['message_id', 'bits'])
          .where('user_id', '=', userId)
          .where('message_id', '>=', from)
          .orderBy('message_id', 'desc')
          .limit(most)
          .as('newest'),
      )
      .select('message_id')
      .where(sql<boolean>`bits & ${sql.lit(flagBits.mentioned)}`),
  ),
  /** The newest message comes first. The bit is a literal, because SQLite otherwise ignores the index of starred messages. */
  starred: queries.values((query, userId: Value<number>, most: Value<number>) =>
    query
      .selectFrom('message_flag')
      .select('message_id')
      .where('user_id', '=', userId)
      .where(sql<boolean>`bits & ${sql.lit(flagBits.starred)}`)
      .orderBy('message_id', 'desc')
      .limit(most),
  ),
};
