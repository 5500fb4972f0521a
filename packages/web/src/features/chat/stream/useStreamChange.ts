import { useState } from 'react';
import { useCommands } from '../../../hooks/model.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import type { StreamChange } from '../../../model/streams/streamChanges.ts';

/** Submits changes of a stream one after the other, up to the first failure. `onDone` is called if none failed. */
export function useStreamChange(streamId: number, onDone: () => void) {
  const model = useCommands();
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const submit = async (...changes: readonly StreamChange[]) => {
    setBusy(true);
    setFailure(undefined);
    let failed: Failure | undefined;
    for (const each of changes) failed ??= await model.changeStream(streamId, each);
    setBusy(false);
    setFailure(failed);
    if (!failed) onDone();
  };
  return { failure, busy, submit: (...changes: readonly StreamChange[]) => void submit(...changes) };
}
