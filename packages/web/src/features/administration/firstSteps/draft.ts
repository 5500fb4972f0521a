import type { FirstStep } from '@engawa/protocol/administration';
import { createDraftStore } from '../draftStore.ts';

interface FirstStepDraft {
  /** Undefined: the first step that was not done when the guide opened. Null: none. */
  readonly open: FirstStep | null | undefined;
  readonly department: string;
  readonly parent: string | undefined;
  readonly stream: string;
}

export const firstStepStore = createDraftStore<FirstStepDraft>({
  open: undefined,
  department: '',
  parent: undefined,
  stream: '',
});

export function changeDraft(changes: Partial<FirstStepDraft>): void {
  firstStepStore.set({ ...firstStepStore.get(), ...changes });
}
