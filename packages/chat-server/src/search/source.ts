import { sql } from 'kysely';
import type { Reader } from '../database/index.ts';
import { statement } from '../schema.ts';

const searched = ['id', 'conversation_id', 'topic', 'content', 'client', 'deleted'] as const;

const selectThese = statement<{ ids: string }>()((query, value) =>
  query
    .selectFrom('message')
    .select(searched)
    .where('id', 'in', sql<number>`(SELECT value FROM json_each(${value.ids}))`),
);
const selectBelow = statement<{ id: number; most: number }>()((query, value) =>
  query.selectFrom('message').select(searched).where('id', '<', value.id).orderBy('id', 'desc').limit(value.most),
);

/** Messages as the index needs them. */
export const source = {
  these: (reader: Reader, ids: readonly number[]) => reader.all(selectThese, { ids: JSON.stringify(ids) }),
  /** The newest `most` below an id. */
  below: (reader: Reader, id: number, most: number) => reader.all(selectBelow, { id, most }),
};
