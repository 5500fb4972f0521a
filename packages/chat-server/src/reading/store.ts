import { sql } from 'kysely';
import type { Reader, Transaction } from '../database/index.ts';
import { statement } from '../schema.ts';
import { type ReadRanges, parseRanges, writeRanges } from './ranges.ts';

const selectRanges = statement<{ user_id: number; conversation_id: number }>()((query, value) =>
  query
    .selectFrom('read_state')
    .select('ranges')
    .where('user_id', '=', value.user_id)
    .where('conversation_id', '=', value.conversation_id),
);
const putRanges = statement<{ user_id: number; conversation_id: number; ranges: string }>()((query, value) =>
  query
    .insertInto('read_state')
    .values({ user_id: value.user_id, conversation_id: value.conversation_id, ranges: value.ranges })
    .onConflict((conflict) => conflict.columns(['user_id', 'conversation_id']).doUpdateSet({ ranges: value.ranges })),
);
const selectBits = statement<{ user_id: number; message_id: number }>()((query, value) =>
  query
    .selectFrom('message_flag')
    .select('bits')
    .where('user_id', '=', value.user_id)
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
const selectStarred = statement<{ user_id: number; bit: number; most: number }>()((query, value) =>
  query
    .selectFrom('message_flag')
    .innerJoin('message', 'message.id', 'message_flag.message_id')
    .select(['message.id', 'message.conversation_id'])
    .where('user_id', '=', value.user_id)
    .where(sql<boolean>`bits & ${value.bit}`)
    .where('message.deleted', 'is', null)
    .orderBy('message.id', 'desc')
    .limit(value.most),
);

export const readStates = {
  ranges(reader: Reader, userId: number, conversationId: number): ReadRanges {
    const row = reader.get(selectRanges, { user_id: userId, conversation_id: conversationId });
    return row ? parseRanges(row.ranges) : [];
  },
  put: (tx: Transaction, userId: number, conversationId: number, ranges: ReadRanges) =>
    tx.run(putRanges, { user_id: userId, conversation_id: conversationId, ranges: writeRanges(ranges) }),
};

/** The flags that stand in rows; `read` does not. */
export const flagBits = { starred: 1, collapsed: 2 } as const;
export type StoredFlag = keyof typeof flagBits;

export const messageFlags = {
  bits: (reader: Reader, userId: number, messageId: number): number =>
    reader.get(selectBits, { user_id: userId, message_id: messageId })?.bits ?? 0,
  /** A row stands only where a bit is set. */
  put(tx: Transaction, userId: number, messageId: number, bits: number): void {
    if (bits === 0) tx.run(dropBits, { user_id: userId, message_id: messageId });
    else tx.run(putBits, { user_id: userId, message_id: messageId, bits });
  },
  /** The newest first. */
  starred: (reader: Reader, userId: number, most: number) =>
    reader.all(selectStarred, { user_id: userId, bit: flagBits.starred, most }),
};
