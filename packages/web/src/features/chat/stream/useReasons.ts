import { useDepartments, useMe, useModel } from '../../../hooks/model.ts';
import { useWords } from '../../../i18n/LocaleProvider.tsx';
import { whyNot, type StreamAct } from '../../../model/streams/streamRights.ts';
import type { StreamView } from '../../../model/view.ts';

/** Why something cannot be done to the stream, in words; undefined where it can. */
export function useReasons(stream: StreamView): (act: StreamAct) => string | undefined {
  const words = useWords().streamTools.reasons;
  const model = useModel();
  const me = useMe();
  const departments = useDepartments() ?? [];
  return (act) => {
    const why = whyNot(act, { stream, me, departments, extensions: model.session().extensions });
    return why && words[why];
  };
}
