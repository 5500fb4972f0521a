import { useCallback, useRef, useState } from 'react';
import { useWhenVisible } from '../../hooks/whenVisible.ts';
import { useCommands } from '../../hooks/model.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import type { Failure } from '../../model/connection/failure.ts';
import type { Model } from '../../model/model.ts';

export interface Page<Row, Cursor> {
  readonly rows: readonly Row[];
  readonly next: Cursor | null;
  readonly total?: number;
}

export interface PagedQuery<Row> {
  readonly rows: readonly Row[] | undefined;
  readonly total: number | undefined;
  readonly isAll: boolean;
  readonly loading: boolean;
  readonly failure: Failure | undefined;
  more(): void;
  reload(): void;
}

interface LoadedPages<Row, Cursor> extends Page<Row, Cursor> {
  readonly pages: number;
}

export async function readPages<Answer, Row, Cursor>(
  model: Pick<Model, 'ask'>,
  ask: (after: Cursor | undefined) => ProductCall<Answer>,
  pageOf: (answer: Answer) => Page<Row, Cursor>,
  { pages, before }: { readonly pages: number; readonly before?: LoadedPages<Row, Cursor> | undefined },
): Promise<LoadedPages<Row, Cursor> | Failure> {
  let shown: LoadedPages<Row, Cursor> | undefined = before;
  for (let read = 0; read < pages && shown?.next !== null; read += 1) {
    const answered: { readonly answer: Answer } | Failure = await model.ask(ask(shown?.next));
    if (!('answer' in answered)) return answered;
    const page: Page<Row, Cursor> = pageOf(answered.answer);
    shown = { ...page, rows: [...(shown?.rows ?? []), ...page.rows], pages: (shown?.pages ?? 0) + 1 };
  }
  return shown ?? { rows: [], next: null, pages: 0 };
}

/** Reads a list in pages. `ask` and `pageOf` must be stable between renders for one search. */
export function usePagedQuery<Answer, Row, Cursor>(
  ask: (after: Cursor | undefined) => ProductCall<Answer>,
  pageOf: (answer: Answer) => Page<Row, Cursor>,
): PagedQuery<Row> {
  const model = useCommands();
  const [shown, setShown] = useState<LoadedPages<Row, Cursor>>();
  const [failure, setFailure] = useState<Failure>();
  const [loading, setLoading] = useState(false);
  const asked = useRef(0);
  const pages = useRef(1);
  const lastAsk = useRef(ask);

  const read = useCallback(
    async (limits: { readonly pages: number; readonly before?: LoadedPages<Row, Cursor> | undefined }) => {
      asked.current += 1;
      const mine = asked.current;
      setLoading(true);
      const found = await readPages(model, ask, pageOf, limits);
      // Only the answer to the last request is shown.
      if (mine !== asked.current) return;
      setLoading(false);
      setFailure('kind' in found ? found : undefined);
      if ('kind' in found) return;
      pages.current = Math.max(found.pages, 1);
      setShown(found);
    },
    [model, ask, pageOf],
  );
  const look = useCallback(() => {
    if (lastAsk.current !== ask) pages.current = 1;
    lastAsk.current = ask;
    return read({ pages: pages.current });
  }, [ask, read]);
  useWhenVisible(look);

  return {
    rows: shown?.rows,
    total: shown?.total,
    isAll: shown?.next === null,
    loading,
    failure,
    more: () => void read({ pages: 1, before: shown }),
    reload: () => void look(),
  };
}
