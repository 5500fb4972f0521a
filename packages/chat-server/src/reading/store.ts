import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { statement } from '../schema.ts';
import { type Range, type ReadRanges, add, appended, joined, parseRanges, writeRanges } from './ranges.ts';

/** The flags that stand in rows; `read` does not, nor what is said to all. */
export const flagBits = { starred: 1, collapsed: 2, mentioned: 4, has_alert_word: 8 } as const;
export type StoredFlag = keyof typeof flagBits;

const selectRanges = statement<{ user_id: number; conversation_id: number }>()((query, value) =>
  query
    .selectFrom('read_state')
    .select('ranges')
    .where('user_id', '=', value.user_id)
    .where('conversation_id', '=', value.conversation_id),
);
const selectRangesOf = statement<{ user_ids: string; conversation_id: number }>()((query, value) =>
  query
    .selectFrom('read_state')
    .select(['user_id', 'ranges'])
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`)
    .where('conversation_id', '=', value.conversation_id),
);
const putRanges = statement<{ user_id: number; conversation_id: number; ranges: string }>()((query, value) =>
  query
    .insertInto('read_state')
    .values({ user_id: value.user_id, conversation_id: value.conversation_id, ranges: value.ranges })
    .onConflict((conflict) => conflict.columns(['user_id', 'conversation_id']).doUpdateSet({ ranges: value.ranges })),
);
/** Only what is short is fetched: of the rest SQLite reads no more than how long it is. */
const selectShort = statement<{ user_id: number; conversation_id: number; most: number }>()((query, value) =>
  query
    .selectFrom('read_state')
    .select(sql<string | null>`CASE WHEN octet_length(ranges) <= ${value.most} THEN ranges END`.as('ranges'))
    .where('user_id', '=', value.user_id)
    .where('conversation_id', '=', value.conversation_id),
);
const selectRecent = statement<{ user_id: number; conversation_id: number }>()((query, value) =>
  query
    .selectFrom('read_recently')
    .select('ranges')
    .where('user_id', '=', value.user_id)
    .where('conversation_id', '=', value.conversation_id),
);
const putRecent = statement<{ user_id: number; conversation_id: number; ranges: string }>()((query, value) =>
  query
    .insertInto('read_recently')
    .values({ user_id: value.user_id, conversation_id: value.conversation_id, ranges: value.ranges })
    .onConflict((conflict) => conflict.columns(['user_id', 'conversation_id']).doUpdateSet({ ranges: value.ranges })),
);
const dropRecent = statement<{ user_id: number; conversation_id: number }>()((query, value) =>
  query.deleteFrom('read_recently').where('user_id', '=', value.user_id).where('conversation_id', '=', value.conversation_id),
);
const selectBits = statement<{ user_id: number; message_id: number }>()((query, value) =>
  query.selectFrom('message_flag').select('bits').where('user_id', '=', value.user_id).where('message_id', '=', value.message_id),
);
const selectBitsOn = statement<{ message_id: number; most: number }>()((query, value) =>
  query.selectFrom('message_flag').select(['user_id', 'bits']).where('message_id', '=', value.message_id).limit(value.most),
);
const selectBitsOf = statement<{ user_ids: string; message_id: number }>()((query, value) =>
  query
    .selectFrom('message_flag')
    .select(['user_id', 'bits'])
    .where('user_id', 'in', sql<number>`(SELECT value FROM json_each(${value.user_ids}))`)
    .where('message_id', '=', value.message_id),
);
const putBits = statement<{ user_id: number; message_id: number; bits: number }>()((query, value) =>
  query
    .insertInto('message_flag')
    .values({ user_id: value.user_id, message_id: value.message_id, bits: value.bits })
    .onConflict((conflict) => conflict.columns(['user_id', 'message_id']).doUpdateSet({ bits: value.bits })),
);
const dropBits = statement<{ user_id: number; message_id: number }>()((query, value) =>
  query.deleteFrom('message_flag').where('user_id', '=', value.user_id).where('message_id', '=', value.message_id),
);
const addBits = statement<{ message_id: number; bits: number; user_ids: string }>()((query, value) =>
  query
    .insertInto('message_flag')
    .columns(['user_id', 'message_id', 'bits'])
    .expression((build) =>
      build
        .selectFrom(sql<{ value: number }>`json_each(${value.user_ids})`.as('chosen'))
        .select('chosen.value as user_id')
        .select([sql<number>`${value.message_id}`.as('message_id'), sql<number>`${value.bits}`.as('bits')])
        .where(sql<boolean>`true`),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'message_id']).doUpdateSet({ bits: sql`message_flag.bits | excluded.bits` }),
    ),
);
const clearBits = statement<{ message_id: number; bits: number }>()((query, value) =>
  query
    .updateTable('message_flag')
    .set({ bits: sql`bits & ~${value.bits}` })
    .where('message_id', '=', value.message_id)
    .where(sql<boolean>`bits & ${value.bits}`),
);
const dropEmpty = statement<{ message_id: number }>()((query, value) =>
  query.deleteFrom('message_flag').where('message_id', '=', value.message_id).where('bits', '=', 0),
);
const dropOfMessage = statement<{ message_id: number }>()((query, value) =>
  query.deleteFrom('message_flag').where('message_id', '=', value.message_id),
);
const selectMentioned = statement<{ user_id: number; from: number; most: number }>()((query, value) =>
  query
    .selectFrom((newest) =>
      newest
        .selectFrom('message_flag')
        .select(['message_id', 'bits'])
        .where('user_id', '=', value.user_id)
        .where('message_id', '>=', value.from)
        .orderBy('message_id', 'desc')
        .limit(value.most)
        .as('newest'),
    )
    .select('message_id')
    .where(sql<boolean>`bits & ${sql.lit(flagBits.mentioned)}`),
);
/** The bit is written out, because only then SQLite finds these rows by the index that holds no others. */
const selectStarred = statement<{ user_id: number; most: number }>()((query, value) =>
  query
    .selectFrom('message_flag')
    .select('message_id')
    .where('user_id', '=', value.user_id)
    .where(sql<boolean>`bits & ${sql.lit(flagBits.starred)}`)
    .orderBy('message_id', 'desc')
    .limit(value.most),
);

/**
 * Most characters that a send writes anew, some 500 ranges. Whoever writes again and again between what they leave unread
 * has a range for each of their own messages; what is longer than this stays, and `read_recently` takes what comes.
 */
const mostRewritten = 8192;

export const readStates = {
  ranges(reader: Reader, userId: number, conversationId: number): ReadRanges {
    const row = reader.get(selectRanges, { user_id: userId, conversation_id: conversationId });
    return row ? parseRanges(readStates.whole(reader, userId, conversationId, row.ranges)) : [];
  },
  /** What was read, where the column `ranges` of `read_state` is known; as `parseRanges` reads it. */
  whole(reader: Reader, userId: number, conversationId: number, written: string): string {
    if (written.length <= mostRewritten) return written;
    const recent = reader.get(selectRecent, { user_id: userId, conversation_id: conversationId });
    return recent ? joined(written, recent.ranges) : written;
  },
  /** By user, as `parseRanges` reads it. */
  writtenOf(reader: Reader, conversationId: number, userIds: readonly number[]): ReadonlyMap<number, string> {
    const rows = reader.all(selectRangesOf, { user_ids: JSON.stringify(userIds), conversation_id: conversationId });
    return new Map(rows.map(({ user_id, ranges }) => [user_id, readStates.whole(reader, user_id, conversationId, ranges)]));
  },
  put(tx: Transaction, userId: number, conversationId: number, ranges: ReadRanges): void {
    tx.run(putRanges, { user_id: userId, conversation_id: conversationId, ranges: writeRanges(ranges) });
    tx.run(dropRecent, { user_id: userId, conversation_id: conversationId });
  },
  /** One more, mostly after all that are there. The work does not grow with them, but for one time in hundreds. */
  add(tx: Transaction, userId: number, conversationId: number, more: Range): void {
    const at = { user_id: userId, conversation_id: conversationId };
    const found = tx.get(selectShort, { ...at, most: mostRewritten });
    const isShort = found?.ranges !== null;
    const recent = isShort ? undefined : tx.get(selectRecent, at)?.ranges;
    const written = recent ?? found?.ranges ?? (isShort ? '[]' : (tx.get(selectRanges, at)?.ranges ?? '[]'));
    const longer = appended(written, more);
    if (longer === undefined)
      readStates.put(tx, userId, conversationId, add(readStates.ranges(tx, userId, conversationId), more));
    else if (isShort) tx.run(putRanges, { ...at, ranges: longer });
    else if (recent === undefined) tx.run(putRecent, { ...at, ranges: writeRanges([more]) });
    else if (longer.length <= mostRewritten) tx.run(putRecent, { ...at, ranges: longer });
    else {
      const older = tx.get(selectRanges, at)?.ranges ?? '[]';
      tx.run(putRanges, { ...at, ranges: joined(older, longer) });
      tx.run(dropRecent, at);
    }
  },
};

export const messageFlags = {
  bits: (reader: Reader, userId: number, messageId: number): number =>
    reader.get(selectBits, { user_id: userId, message_id: messageId })?.bits ?? 0,
  /** By user, of these users at least. The work grows with them, or with those who have a flag on it where they are fewer. */
  bitsOf(reader: Reader, messageId: number, userIds: readonly number[]): ReadonlyMap<number, number> {
    let rows = reader.all(selectBitsOn, { message_id: messageId, most: userIds.length + 1 });
    if (rows.length > userIds.length) {
      rows = reader.all(selectBitsOf, { user_ids: JSON.stringify(userIds), message_id: messageId });
    }
    return new Map(rows.map(({ user_id, bits }) => [user_id, bits]));
  },
  /** A row stands only where a bit is set. */
  put(tx: Transaction, userId: number, messageId: number, bits: number): void {
    if (bits === 0) tx.run(dropBits, { user_id: userId, message_id: messageId });
    else tx.run(putBits, { user_id: userId, message_id: messageId, bits });
  },
  /** Sets a bit for several users. The work grows with them. */
  add(tx: Transaction, messageId: number, bit: number, userIds: readonly number[]): void {
    if (userIds.length === 0) return;
    tx.run(addBits, { message_id: messageId, bits: bit, user_ids: JSON.stringify(userIds) });
  },
  /** Clears bits for everyone. The work grows with those who have set a flag on the message. */
  clear(tx: Transaction, messageId: number, bits: number): void {
    const cleared = tx.run(clearBits, { message_id: messageId, bits });
    if (cleared > 0) tx.run(dropEmpty, { message_id: messageId });
  },
  /** Of everyone. */
  deleteOf: (tx: Transaction, messageId: number) => tx.run(dropOfMessage, { message_id: messageId }),
  /** The messages from `from` on that name a user, found among the newest `most` on which one of their bits is set. */
  mentionedIn: (reader: Reader, userId: number, from: number, most: number): number[] =>
    reader.all(selectMentioned, { user_id: userId, from, most }).map(({ message_id }) => message_id),
  /** The newest first. */
  starred: (reader: Reader, userId: number, most: number): number[] =>
    reader.all(selectStarred, { user_id: userId, most }).map(({ message_id }) => message_id),
};
