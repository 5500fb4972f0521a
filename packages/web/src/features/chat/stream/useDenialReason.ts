import { useCommands, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { whyNot, type StreamAct } from '../../../model/streams/streamRights.ts';
import type { StreamView } from '../../../model/conversations/selectors.ts';
import { selectDepartments, selectMe } from '../../../model/people/selectors.ts';

export function useDenialReason(stream: StreamView): (act: StreamAct) => string | undefined {
  const words = useWords().streamTools.reasons;
  const model = useCommands();
  const me = useModel(selectMe);
  const departments = useModel(selectDepartments) ?? [];
  return (act) => {
    const why = whyNot(act, { stream, me, departments, extensions: model.session.extensions });
    return why && words[why];
  };
}
