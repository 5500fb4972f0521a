import { useEffect } from 'react';
import { maxImportBytes } from '@engawa/protocol/administration';
import { useCommands } from '../../../hooks/model.ts';
import type { Model } from '../../../model/model.ts';
import {
  atBeginning,
  importStore,
  linksStore,
  noLinks,
  type Busy,
  type Encoding,
  type ImportState,
  type OpenFile,
} from '../drafts.ts';
import { applyTable, previewTable, readFile } from './importCalls.ts';
import { type Draft, draftOf, tableOf } from './importDraft.ts';
import { useDraftStore } from '../draftStore.ts';

export interface Importing extends ImportState {
  choose(file: File, encoding?: Encoding): void;
  mend(draft: Draft): void;
  check(): void;
  apply(): void;
  /** Starts over. Does nothing while an import is being applied. */
  leave(): void;
}

const change = (changes: Partial<ImportState>) => importStore.set({ ...importStore.get(), ...changes });

/** Counts the requests. Only the answer to the last one is used. */
let last = 0;

function begin(busy: Busy): number {
  change({ busy, failure: undefined, changedMeanwhile: false });
  last += 1;
  return last;
}

async function check(model: Model, draft: Draft, turn: number): Promise<void> {
  change({ busy: 'checking' });
  const answered = await model.ask(previewTable(tableOf(draft)));
  if (turn !== last) return;
  if (!('answer' in answered)) {
    change({ busy: undefined, failure: answered });
    return;
  }
  // The answer does not replace edits that were made during the check.
  const { open } = importStore.get();
  change({ busy: undefined, open: open && { ...open, checked: { draft, preview: answered.answer } } });
}

async function choose(model: Model, file: File, encoding?: Encoding): Promise<void> {
  const turn = begin('reading');
  change({ done: undefined });
  if (file.size > maxImportBytes) {
    change({ busy: undefined, failure: { kind: 'file-too-large', maxBytes: maxImportBytes } });
    return;
  }
  const answered = await model.ask(readFile(file, encoding));
  if (turn !== last) return;
  if (!('answer' in answered)) {
    change({ busy: undefined, failure: answered });
    return;
  }
  const draft = draftOf(answered.answer);
  change({ open: { file, encoding: answered.answer.encoding, draft, isMended: false, checked: undefined } });
  await check(model, draft, turn);
}

async function apply(model: Model, { draft, checked }: OpenFile): Promise<void> {
  if (!checked) return;
  const turn = begin('applying');
  const answered = await model.ask(applyTable(tableOf(draft), checked.preview.fingerprint));
  if ('answer' in answered) {
    linksStore.set(noLinks);
    change({ busy: undefined, done: answered.answer, open: undefined });
    model.reloadDepartments();
  } else if (answered.kind === 'refused' && answered.code === 'ORGANISATION_CHANGED') {
    change({ changedMeanwhile: true });
    await check(model, draft, turn);
  } else {
    change({ busy: undefined, failure: answered });
  }
}

/** Removes the result of the last import, unless its password links are not saved yet. */
function forgetDone(): void {
  if (importStore.get().done?.without_password.length === 0) change({ done: undefined });
}

/** The import of a file: choose, read, check, correct, check again, apply. It continues while another screen is open. */
export function useImport(): Importing {
  const model = useCommands();
  const state = useDraftStore(importStore);
  const { open, busy } = state;
  useEffect(() => forgetDone, []);
  return {
    ...state,
    choose(file, encoding) {
      // A newly chosen file replaces one that is still being read or checked.
      if (busy !== 'applying') void choose(model, file, encoding);
    },
    mend: (draft) => open && change({ open: { ...open, draft, isMended: true } }),
    check() {
      if (open && !busy) void check(model, open.draft, begin('checking'));
    },
    apply() {
      if (open && !busy) void apply(model, open);
    },
    leave() {
      // A running import cannot be cancelled, so its result is shown.
      if (busy === 'applying') return;
      last += 1;
      importStore.set(atBeginning);
      linksStore.set(noLinks);
    },
  };
}
