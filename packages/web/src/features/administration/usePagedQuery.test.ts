import { expect, it } from 'vitest';
import { z } from 'zod/mini';
import type { ProductCall } from '../../model/connection/productCall.ts';
import type { Model } from '../../model/model.ts';
import { readPages } from './usePagedQuery.ts';

const page = z.object({ rows: z.array(z.int()), next: z.nullable(z.int()) });
const ask = (after: number | undefined) => ({ method: 'GET', path: `/rows?after=${after ?? ''}`, answer: page }) as const;
const same = (answer: z.output<typeof page>) => answer;

/** A server with `rows` rows in pages of two. */
function server(rows: number, broken = 0): Pick<Model, 'ask'> & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    ask: <Answer>({ path, answer }: ProductCall<Answer>) => {
      asked.push(path);
      if (asked.length === broken) return Promise.resolve({ kind: 'network' });
      const after = Number(path.split('=')[1]);
      const found = [after + 1, after + 2].filter((row) => row <= rows);
      return Promise.resolve({ answer: answer.parse({ rows: found, next: after + 2 < rows ? after + 2 : null }) });
    },
  };
}

it('[I7.2] readPages reads the given number of pages from the start, one after another', async () => {
  const there = server(7);
  expect(await readPages(there, ask, same, { pages: 3 })).toEqual({ rows: [1, 2, 3, 4, 5, 6], next: 6, pages: 3 });
  expect(there.asked).toEqual(['/rows?after=', '/rows?after=2', '/rows?after=4']);
});

it('[I7.2] readPages continues after the rows that are shown and stops at the last page', async () => {
  const there = server(3);
  const before = { rows: [1, 2], next: 2, pages: 1 };
  expect(await readPages(there, ask, same, { pages: 5, before })).toEqual({ rows: [1, 2, 3], next: null, pages: 2 });
  expect(there.asked).toEqual(['/rows?after=2']);
});

it('[I7.2] readPages returns the failure of the first page that cannot be read', async () => {
  expect(await readPages(server(7, 2), ask, same, { pages: 3 })).toEqual({ kind: 'network' });
});
