import { useCallback, useRef, useState } from 'react';
import { useWhenVisible } from './whenVisible.ts';
import { useCommands } from './model.ts';
import type { ProductCall } from '../model/connection/productCall.ts';
import type { Failure } from '../model/connection/failure.ts';

export interface Query<Answer> {
  /** Undefined before the first answer. A reload keeps the previous answer until the next one. */
  readonly answer: Answer | undefined;
  readonly failure: Failure | undefined;
  reload(): void;
  /** Shows the answer of a change, which contains what a reload would read. Reads that are under way are ignored. */
  replace(answer: Answer): void;
}

/** Reads on mount and whenever the page becomes visible. `ask` must be stable between renders. */
export function useQuery<Answer>(ask: () => ProductCall<Answer>): Query<Answer> {
  const model = useCommands();
  const [answer, setAnswer] = useState<Answer>();
  const [failure, setFailure] = useState<Failure>();
  const asked = useRef(0);

  const load = useCallback(async () => {
    asked.current += 1;
    const mine = asked.current;
    const found = await model.ask(ask());
    if (mine !== asked.current) return;
    if ('answer' in found) setAnswer(found.answer);
    setFailure('answer' in found ? undefined : found);
  }, [model, ask]);

  useWhenVisible(load);
  const reload = useCallback(() => void load(), [load]);
  const replace = useCallback((changed: Answer) => {
    asked.current += 1;
    setAnswer(changed);
    setFailure(undefined);
  }, []);
  return { answer, failure, reload, replace };
}
