import { useCommands } from '../../../hooks/model.ts';
import { useSubmission } from '../../../hooks/submission.ts';
import type { StreamChange } from '../../../model/streams/streamChanges.ts';

/** Submits changes of a stream one after the other, up to the first failure. `onDone` is called if none failed. */
export function useStreamChange(streamId: number, onDone: () => void) {
  const model = useCommands();
  const { busy, failure, submit } = useSubmission();
  const changeInTurn = async (changes: readonly StreamChange[]) => {
    let failed: Awaited<ReturnType<typeof model.changeStream>>;
    for (const each of changes) failed ??= await model.changeStream(streamId, each);
    return failed;
  };
  const change = async (...changes: readonly StreamChange[]) => (await submit(() => changeInTurn(changes))) && onDone();
  return { failure, busy, submit: (...changes: readonly StreamChange[]) => void change(...changes) };
}
