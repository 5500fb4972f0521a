import { useState } from 'react';
import { useCommands } from '../../../hooks/model.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import type { StreamWish } from '../../../model/streams/streamChanges.ts';

export function useWish(streamId: number, onDone: () => void) {
  const model = useCommands();
  const [failure, setFailure] = useState<Failure>();
  const [busy, setBusy] = useState(false);
  const wish = async (...wishes: readonly StreamWish[]) => {
    setBusy(true);
    setFailure(undefined);
    let failed: Failure | undefined;
    for (const each of wishes) failed ??= await model.keepStream(streamId, each);
    setBusy(false);
    setFailure(failed);
    if (!failed) onDone();
  };
  return { failure, busy, wish: (...wishes: readonly StreamWish[]) => void wish(...wishes) };
}
