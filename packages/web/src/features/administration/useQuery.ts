import { useCallback, useRef, useState } from 'react';
import { useWhenLookedAt } from '../../hooks/lookedAt.ts';
import { useCommands } from '../../hooks/model.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import type { Failure } from '../../model/connection/failure.ts';

export interface Query<Answer> {
  /** Undefined until it is there. What was there stays while it is asked again. */
  readonly answer: Answer | undefined;
  readonly failure: Failure | undefined;
  reload(): void;
}

/**
 * What the server says now: asked when it is looked at, and again whenever the page is, because others administer too.
 * What was asked last is what is shown. `ask` is the same function from one render to the next.
 */
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

  useWhenLookedAt(load);
  const reload = useCallback(() => void load(), [load]);
  return { answer, failure, reload };
}
