import { useRef, useState } from 'react';
import type { Failure } from '../model/connection/failure.ts';

/** Sends one request of a form at a time, and keeps the failure of the last one. */
export function useSubmission() {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const isSending = useRef(false);

  /** Resolves to true after success. */
  const submit = async (send: () => Promise<Failure | undefined>): Promise<boolean> => {
    // The Enter key in a field submits the form even while the button is disabled.
    if (isSending.current) return false;
    isSending.current = true;
    setBusy(true);
    setFailure(undefined);
    const failed = await send();
    isSending.current = false;
    setBusy(false);
    setFailure(failed);
    return failed === undefined;
  };

  return { busy, failure, forget: () => setFailure(undefined), submit };
}
