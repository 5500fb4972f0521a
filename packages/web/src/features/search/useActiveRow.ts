import { useEffect, useLayoutEffect, useState, type RefObject } from 'react';
import type { Search } from './searching.ts';
import type { Row } from './sections.ts';

const pageRows = 6;

/** The row that the arrow keys reached, which survives closing the panel. */
export function useActiveRow(search: Search, rows: readonly Row[], list: RefObject<HTMLDivElement | null>) {
  const [active, setActive] = useState(() => search.position().active);
  const reached = rows.find(({ key }) => key === active);
  const reachedKey = reached?.key;

  useLayoutEffect(() => {
    list.current?.scrollTo({ top: search.position().scrollTop });
  }, [search, list]);
  useEffect(() => {
    search.keepPosition({ active: reachedKey });
    if (reachedKey !== undefined) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [search, reachedKey, list]);

  const walk = (to: number) => {
    const next = rows[Math.min(to, rows.length - 1)];
    setActive(to < 0 ? undefined : next?.key);
    if (to < 0) list.current?.scrollTo({ top: 0 });
    // Loads the next page before the keys reach the end.
    if (to >= rows.length - pageRows) search.more();
  };

  const walkBy = (key: string): boolean => {
    const at = rows.findIndex((row) => row.key === reachedKey);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + pageRows,
      PageUp: Math.max(at - pageRows, 0),
    }[key];
    if (to !== undefined) walk(to);
    return to !== undefined;
  };

  return { reached, walk, walkBy, reset: () => setActive(undefined) };
}
