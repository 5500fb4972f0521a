import { type Reader, type Transaction, type Value, each } from '../database/index.ts';
import { queries } from '../schema.ts';
import { sql } from 'kysely';
import { type Range, type ReadRanges, add, appended, joined, parseRanges, writeRanges } from './ranges.ts';

/** Flags that rows store. `read` is stored as ranges, and a mention of everyone as a feature of the message. */
export const flagBits = { starred: 1, collapsed: 2, mentioned: 4, has_alert_word: 8 } as const;
export type StoredFlag = keyof typeof flagBits;

const selectRanges = queries.value((query, userId: Value<number>, conversationId: Value<number>) =>
  query.selectFrom('read_state').select('ranges').where('user_id', '=', userId).where('conversation_id', '=', conversationId),
);
const selectRangesOf = queries.rows((query, userIds: Value<readonly number[]>, conversationId: Value<number>) =>
  query
    .selectFrom('read_state')
    .select(['user_id', 'ranges'])
    .where('user_id', 'in', each(userIds))
    .where('conversation_id', '=', conversationId),
);
const putRanges = queries.run((query, userId: Value<number>, conversationId: Value<number>, ranges: Value<string>) =>
  query
    .insertInto('read_state')
    .values({ user_id: userId, conversation_id: conversationId, ranges })
    .onConflict((conflict) => conflict.columns(['user_id', 'conversation_id']).doUpdateSet({ ranges })),
);
/** Null for a text of more than `most` bytes, because SQLite then reads only its length. */
const selectShort = queries.row((query, userId: Value<number>, conversationId: Value<number>, most: Value<number>) =>
  query
    .selectFrom('read_state')
    .select(sql<string | null>`CASE WHEN octet_length(ranges) <= ${most} THEN ranges END`.as('ranges'))
    .where('user_id', '=', userId)
    .where('conversation_id', '=', conversationId),
);
const selectRecent = queries.value((query, userId: Value<number>, conversationId: Value<number>) =>
  query.selectFrom('read_recently').select('ranges').where('user_id', '=', userId).where('conversation_id', '=', conversationId),
);
const putRecent = queries.run((query, userId: Value<number>, conversationId: Value<number>, ranges: Value<string>) =>
  query
    .insertInto('read_recently')
    .values({ user_id: userId, conversation_id: conversationId, ranges })
    .onConflict((conflict) => conflict.columns(['user_id', 'conversation_id']).doUpdateSet({ ranges })),
);
const deleteRecent = queries.run((query, userId: Value<number>, conversationId: Value<number>) =>
  query.deleteFrom('read_recently').where('user_id', '=', userId).where('conversation_id', '=', conversationId),
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

/** A send rewrites at most this many characters, about 500 ranges. Ranges beyond this limit go to the table `read_recently`. */
const mostRewritten = 8192;

export const readStates = {
  ranges(reader: Reader, userId: number, conversationId: number): ReadRanges {
    const written = selectRanges(reader, userId, conversationId);
    return written === undefined ? [] : parseRanges(readStates.whole(reader, userId, conversationId, written));
  },
  /** Joins the ranges of the tables `read_state` and `read_recently`. @param written the column `ranges` of `read_state`. */
  whole(reader: Reader, userId: number, conversationId: number, written: string): string {
    if (written.length <= mostRewritten) return written;
    const recent = selectRecent(reader, userId, conversationId);
    return recent === undefined ? written : joined(written, recent);
  },
  writtenOf(reader: Reader, conversationId: number, userIds: readonly number[]): ReadonlyMap<number, string> {
    const rows = selectRangesOf(reader, userIds, conversationId);
    return new Map(rows.map(({ user_id, ranges }) => [user_id, readStates.whole(reader, user_id, conversationId, ranges)]));
  },
  put(tx: Transaction, userId: number, conversationId: number, ranges: ReadRanges): void {
    putRanges(tx, userId, conversationId, writeRanges(ranges));
    deleteRecent(tx, userId, conversationId);
  },
  /** Adds a range that mostly follows all others. The work grows with the number of ranges only once in hundreds of calls. */
  add(tx: Transaction, userId: number, conversationId: number, more: Range): void {
    const found = selectShort(tx, userId, conversationId, mostRewritten);
    const isShort = found?.ranges !== null;
    const recent = isShort ? undefined : selectRecent(tx, userId, conversationId);
    const written = recent ?? found?.ranges ?? (isShort ? '[]' : (selectRanges(tx, userId, conversationId) ?? '[]'));
    const longer = appended(written, more);
    if (longer === undefined) {
      readStates.put(tx, userId, conversationId, add(readStates.ranges(tx, userId, conversationId), more));
    } else if (isShort) putRanges(tx, userId, conversationId, longer);
    else if (recent === undefined) putRecent(tx, userId, conversationId, writeRanges([more]));
    else if (longer.length <= mostRewritten) putRecent(tx, userId, conversationId, longer);
    else {
      const older = selectRanges(tx, userId, conversationId) ?? '[]';
      putRanges(tx, userId, conversationId, joined(older, longer));
      deleteRecent(tx, userId, conversationId);
    }
  },
};

export const messageFlags = {
  bits: (reader: Reader, userId: number, messageId: number): number => selectBits(reader, userId, messageId) ?? 0,
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
