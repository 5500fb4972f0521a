import { useCallback } from 'react';
import { firstSteps, type FirstStepsState } from '@engawa/protocol/administration';
import { useToast } from '../../../components/primitives/Toasts.tsx';
import { useCommands } from '../../../hooks/model.ts';
import { useWhenVisible } from '../../../hooks/whenVisible.ts';
import { useFirstStepsWords } from '../../../i18n/firstSteps.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import { changeFirstSteps, readFirstSteps } from '../calls.ts';
import { createDraftStore, useDraftStore } from '../draftStore.ts';
import { useRefusalText } from '../useRefusalText.ts';

/** Shared, because the guide, the list of sections and the first screen show the same progress. */
const store = createDraftStore<{ readonly state?: FirstStepsState; readonly failure?: Failure }>({});
/** Counts the reads and the changes, so that the answer to a read is ignored if a later one or a change has begun or ended. */
let asked = 0;

function showDismissed(isDismissed: boolean): void {
  const { state } = store.get();
  if (state) store.set({ state: { ...state, is_dismissed: isDismissed } });
}

export function useFirstSteps() {
  const model = useCommands();
  const words = useFirstStepsWords();
  const refusal = useRefusalText();
  const toast = useToast();
  const { state, failure } = useDraftStore(store);

  const load = useCallback(async () => {
    asked += 1;
    const mine = asked;
    const answered = await model.ask(readFirstSteps());
    if (mine !== asked) return;
    store.set('answer' in answered ? { state: answered.answer } : { ...store.get(), failure: answered });
  }, [model]);
  useWhenVisible(load);

  return {
    state,
    /** Undefined if all are done. */
    next: firstSteps.find((step) => !state?.done.includes(step)),
    failure,
    reload: useCallback(() => void load(), [load]),
    /** Shown at once, and undone if the server refuses. */
    dismiss: async (isDismissed: boolean) => {
      asked += 1;
      showDismissed(isDismissed);
      const answered = await model.ask(changeFirstSteps({ is_dismissed: isDismissed }));
      asked += 1;
      if ('answer' in answered) {
        toast({ text: isDismissed ? words.dismissed : words.broughtBack, tone: 'note' });
      } else {
        showDismissed(!isDismissed);
        toast({ text: refusal(answered), tone: 'alert' });
      }
    },
  };
}
