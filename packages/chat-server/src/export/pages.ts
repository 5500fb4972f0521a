import type { Reader } from '../database/index.ts';
import { type UserRow, users } from '../identity/store.ts';

const pageSize = 1000;

export function* usersIn(reader: Reader): Generator<UserRow, void> {
  for (const page of users.pages(reader, pageSize)) yield* page;
}

/** All rows, page by page, so that memory stays bounded. */
export function* pages<Row extends { readonly id: number }>(
  read: (after: number, most: number) => readonly Row[],
): Generator<readonly Row[], void> {
  let after = 0;
  for (;;) {
    const rows = read(after, pageSize);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = last.id;
  }
}

export function* rowsOf<Row extends { readonly id: number }>(
  read: (after: number, most: number) => readonly Row[],
): Generator<Row, void> {
  for (const page of pages(read)) yield* page;
}
