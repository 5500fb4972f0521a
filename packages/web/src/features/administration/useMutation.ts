import { useRef, useState } from 'react';
import { useCommands } from '../../hooks/model.ts';
import type { ProductCall } from '../../model/connection/productCall.ts';
import type { Failure } from '../../model/connection/failure.ts';

/** Sends one call at a time. Returns whether it is running, and the failure of the last one. */
export function useMutation() {
  const model = useCommands();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const goesOn = useRef(false);

  const act = async <Answer>(call: ProductCall<Answer>, onDone: (answer: Answer) => void) => {
    // Enter in a field submits even while the button is disabled.
    if (goesOn.current) return;
    goesOn.current = true;
    setBusy(true);
    setFailure(undefined);
    const answered = await model.ask(call);
    goesOn.current = false;
    setBusy(false);
    if ('answer' in answered) onDone(answered.answer);
    else setFailure(answered);
  };

  return {
    busy,
    failure,
    forget: () => setFailure(undefined),
    act: <Answer>(call: ProductCall<Answer>, onDone: (answer: Answer) => void) => void act(call, onDone),
  };
}
