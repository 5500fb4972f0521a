import { useCallback, useRef, useState } from 'react';
import { useWhenVisible } from '../../hooks/whenVisible.ts';
import { useCommands } from '../../hooks/model.ts';
import type { Account } from '../../model/people/account.ts';
import type { Failure } from '../../model/connection/failure.ts';

/** Reads a list on mount and whenever the page becomes visible. `list` must be stable between renders. */
export function useAccountList<Item>(list: (own: Account) => Promise<readonly Item[] | Failure>): {
  readonly listed: readonly Item[] | Failure | undefined;
  readonly load: () => void;
} {
  const model = useCommands();
  const [listed, setListed] = useState<readonly Item[] | Failure>();
  const asked = useRef(0);
  const load = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const found = await model.account(list);
    if (mine === asked.current) setListed(found);
  }, [model, list]);
  useWhenVisible(load);
  return { listed, load: () => void load() };
}
