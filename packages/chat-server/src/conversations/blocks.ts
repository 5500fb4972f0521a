import { sql } from 'kysely';

/**
 * Message ids of a block; they have no gaps. What each sender would add elsewhere with each message is added for a whole block by its
 * last message: otherwise a commit of many sends would write one more page for each sender. The size never changes, because only whole
 * blocks of this size have been added.
 */
export const blockSize = 1000;

/** The last message of the last complete block. */
export const lastOfBlocks = sql<number>`(SELECT max(id) / ${sql.lit(blockSize)} * ${sql.lit(blockSize)} FROM message)`;
