import { useCallback, useRef, useState } from 'react';
import { useWhenLookedAt } from '../../hooks/lookedAt.ts';
import { useCommands } from '../../hooks/model.ts';
import type { Account } from '../../model/later.ts';
import type { Failure } from '../../model/connection/failure.ts';

/**
 * What the member has, or why nobody can say; undefined until somebody has answered. Asked when it is looked at, and
 * again whenever the page is. What was asked last is what is shown.
 * @param list the same function each time.
 */
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
  useWhenLookedAt(load);
  return { listed, load: () => void load() };
}
