import type { Columns, Value } from '@engawa/chat-server/database';
import { type Selectable, sql } from 'kysely';
import { type LinkKind, type Schema, queries } from '../database/schema.ts';

export type LinkRow = Selectable<Schema['one_time_link']>;

/** `now` is in Unix seconds; expired links are not found. */
export const oneTimeLinks = {
  /** Does nothing if the purpose already has a link. SQLite picks the id if it is null. */
  insert: queries.run((query, link: Columns<Omit<LinkRow, 'id'> & { id: number | null }>) =>
    query
      .insertInto('one_time_link')
      .values({
        id: sql<number>`${link.id}`,
        token_hash: link.token_hash,
        kind: link.kind,
        purpose: link.purpose,
        terms: link.terms,
        made_by: link.made_by,
        made: link.made,
        ends: link.ends,
      })
      .onConflict((conflict) => conflict.doNothing()),
  ),
  find: queries.row((query, kind: Value<LinkKind>, tokenHash: Value<Uint8Array>, now: Value<number>) =>
    query
      .selectFrom('one_time_link')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .where('kind', '=', kind)
      .where('ends', '>', now),
  ),
  take: queries.row((query, kind: Value<LinkKind>, tokenHash: Value<Uint8Array>, now: Value<number>) =>
    query
      .deleteFrom('one_time_link')
      .where('token_hash', '=', tokenHash)
      .where('kind', '=', kind)
      .where('ends', '>', now)
      .returningAll(),
  ),
  /** Valid links of a kind, the newest first. */
  all: queries.rows((query, kind: Value<LinkKind>, now: Value<number>, most: Value<number>) =>
    query
      .selectFrom('one_time_link')
      .selectAll()
      .where('kind', '=', kind)
      .where('ends', '>', now)
      .orderBy('id', 'desc')
      .limit(most),
  ),
  remove: queries.run((query, kind: Value<LinkKind>, purpose: Value<string>) =>
    query.deleteFrom('one_time_link').where('kind', '=', kind).where('purpose', '=', purpose),
  ),
  removeById: queries.run((query, kind: Value<LinkKind>, id: Value<number>) =>
    query.deleteFrom('one_time_link').where('id', '=', id).where('kind', '=', kind),
  ),
  removeOld: queries.run((query, now: Value<number>) => query.deleteFrom('one_time_link').where('ends', '<=', now)),
};
