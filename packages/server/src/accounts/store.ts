import type { Reader, Transaction } from '@engawa/chat-server/database';
import { type Selectable, sql } from 'kysely';
import { type LinkKind, type Schema, statement } from '../schema.ts';

export type LinkRow = Selectable<Schema['one_time_link']>;
type NewLink = Omit<LinkRow, 'id'>;

const insert = statement<Omit<LinkRow, 'id'> & { id: number | null }>()((query, value) =>
  query
    .insertInto('one_time_link')
    .values({
      // SQLite picks the id if it is null.
      id: sql<number>`${value.id}`,
      token_hash: value.token_hash,
      kind: value.kind,
      purpose: value.purpose,
      terms: value.terms,
      made_by: value.made_by,
      made: value.made,
      ends: value.ends,
    })
    .onConflict((conflict) => conflict.doNothing()),
);
const select = statement<{ kind: LinkKind; token_hash: Uint8Array; now: number }>()((query, value) =>
  query
    .selectFrom('one_time_link')
    .selectAll()
    .where('token_hash', '=', value.token_hash)
    .where('kind', '=', value.kind)
    .where('ends', '>', value.now),
);
const take = statement<{ kind: LinkKind; token_hash: Uint8Array; now: number }>()((query, value) =>
  query
    .deleteFrom('one_time_link')
    .where('token_hash', '=', value.token_hash)
    .where('kind', '=', value.kind)
    .where('ends', '>', value.now)
    .returningAll(),
);
const selectAll = statement<{ kind: LinkKind; now: number; most: number }>()((query, value) =>
  query
    .selectFrom('one_time_link')
    .selectAll()
    .where('kind', '=', value.kind)
    .where('ends', '>', value.now)
    .orderBy('id', 'desc')
    .limit(value.most),
);
const remove = statement<{ kind: LinkKind; purpose: string }>()((query, value) =>
  query.deleteFrom('one_time_link').where('kind', '=', value.kind).where('purpose', '=', value.purpose),
);
const removeById = statement<{ kind: LinkKind; id: number }>()((query, value) =>
  query.deleteFrom('one_time_link').where('id', '=', value.id).where('kind', '=', value.kind).returning('id'),
);
const removeOld = statement<{ now: number }>()((query, value) =>
  query.deleteFrom('one_time_link').where('ends', '<=', value.now),
);

/** `now` is in Unix seconds; expired links are not found. */
export const oneTimeLinks = {
  insert: (tx: Transaction, link: NewLink) => tx.run(insert, { id: null, ...link }),
  /** Restores a consumed link, unless another was created for the same purpose since. */
  restore: (tx: Transaction, link: LinkRow) => tx.run(insert, { ...link }),
  find: (reader: Reader, kind: LinkKind, tokenHash: Uint8Array, now: number): LinkRow | undefined =>
    reader.get(select, { kind, token_hash: tokenHash, now }),
  take: (tx: Transaction, kind: LinkKind, tokenHash: Uint8Array, now: number): LinkRow | undefined =>
    tx.get(take, { kind, token_hash: tokenHash, now }),
  all: (reader: Reader, kind: LinkKind, now: number, most: number): readonly LinkRow[] =>
    reader.all(selectAll, { kind, now, most }),
  remove: (tx: Transaction, kind: LinkKind, purpose: string) => tx.run(remove, { kind, purpose }),
  /** @returns whether there was such a link. */
  removeById: (tx: Transaction, kind: LinkKind, id: number) => tx.get(removeById, { kind, id }) !== undefined,
  removeOld: (tx: Transaction, now: number) => tx.run(removeOld, { now }),
};
