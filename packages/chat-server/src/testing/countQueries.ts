import type { Reader } from '../database/index.ts';

/** Counts the queries to a reader. */
export function countQueries(reader: Reader) {
  let count = 0;
  const counted: Reader = {
    all: (...queries) => {
      count += 1;
      return reader.all(...queries);
    },
    get: (...queries) => {
      count += 1;
      return reader.get(...queries);
    },
  };
  return { counted, queries: () => count };
}
