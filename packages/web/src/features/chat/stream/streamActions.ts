import type { StreamChange } from '../../../model/streams/streamChanges.ts';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import { selectDepartments, selectMe } from '../../../model/people/selectors.ts';
import { useCommands, useModel } from '../../../hooks/model.ts';
import { useSubmission } from '../../../hooks/submission.ts';
import { useStreamWords } from '../../../i18n/stream.ts';
import { whyNot, type StreamAct } from '../../../model/streams/streamRights.ts';

export function useDenialReason(stream: StreamView): (act: StreamAct) => string | undefined {
  const words = useStreamWords().reasons;
  const model = useCommands();
  const me = useModel(selectMe);
  const departments = useModel(selectDepartments) ?? [];
  return (act) => {
    const why = whyNot(act, { stream, me, departments, capabilities: model.session.capabilities });
    return why && words[why];
  };
}

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
