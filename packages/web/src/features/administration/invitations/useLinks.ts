import { useCommands } from '../../../hooks/model.ts';
import type { Model } from '../../../model/model.ts';
import { resetPassword } from '../calls.ts';
import { linksStore, type LinksState, type MemberWithoutPassword } from '../drafts.ts';
import { useDraftStore } from '../draftStore.ts';

const change = (changes: Partial<LinksState>) => linksStore.set({ ...linksStore.get(), ...changes });

/** Creates links one after another to limit the load on the server and its mail. Skips members who have a link. */
async function make(model: Model, waiting: readonly MemberWithoutPassword[]): Promise<void> {
  const have = new Set(linksStore.get().made.map(({ member }) => member.user_id));
  change({ busy: 'making', failed: [] });
  for (const member of waiting.filter(({ user_id: id }) => !have.has(id))) {
    const answered = await model.ask(resetPassword(member.user_id));
    const { made, failed, busy } = linksStore.get();
    if ('answer' in answered) change({ made: [...made, { member, sent: answered.answer }], isSaved: false });
    else change({ failed: [...failed, { member, failure: answered }] });
    if (busy === 'stopping') break;
  }
  change({ busy: undefined });
}

export interface LinksMaking extends LinksState {
  make(): void;
  stop(): void;
  saved(): void;
}

export function useLinks(waiting: readonly MemberWithoutPassword[]): LinksMaking {
  const model = useCommands();
  const state = useDraftStore(linksStore);
  return {
    ...state,
    make() {
      if (!state.busy) void make(model, waiting);
    },
    stop() {
      if (state.busy) change({ busy: 'stopping' });
    },
    saved: () => change({ isSaved: true }),
  };
}
