import { useRef, useState } from 'react';
import {
  type ImportDone,
  type ImportPreview,
  type ImportTable,
  maxImportBytes,
} from '@engawa/protocol/administration';
import { useModel } from '../../hooks/model.ts';
import type { Failure } from '../../model/view.ts';
import { applyTable, previewTable, readFile } from './importCalls.ts';
import { type Draft, draftOf, tableOf } from './importDraft.ts';

export type Encoding = ImportTable['encoding'];

/** What was sent, and what the server said to it. */
export interface Checked {
  readonly draft: Draft;
  readonly preview: ImportPreview;
}

export interface OpenFile {
  readonly file: File;
  readonly encoding: Encoding;
  readonly draft: Draft;
  /** Undefined until it was checked for the first time. */
  readonly checked: Checked | undefined;
}

export type Busy = 'reading' | 'checking' | 'applying';

export interface Importing {
  readonly open: OpenFile | undefined;
  readonly done: ImportDone | undefined;
  readonly busy: Busy | undefined;
  readonly failure: Failure | undefined;
  /** Something else changed before it could be applied, so that it was checked again. */
  readonly changedMeanwhile: boolean;
  choose(file: File, encoding?: Encoding): void;
  mend(draft: Draft): void;
  check(): void;
  apply(): void;
  /** Back to the beginning, but not from what is being applied. */
  leave(): void;
}

/** A file on its way into the organisation: chosen, read, checked, mended, checked again, applied. */
export function useImport(): Importing {
  const model = useModel();
  const [open, setOpen] = useState<OpenFile>();
  const [done, setDone] = useState<ImportDone>();
  const [busy, setBusy] = useState<Busy>();
  const [failure, setFailure] = useState<Failure>();
  const [changedMeanwhile, setChangedMeanwhile] = useState(false);

  /** What was begun last is what is heard of: who has gone back to the beginning stays there. */
  const last = useRef(0);

  const begin = (what: Busy): number => {
    setBusy(what);
    setFailure(undefined);
    setChangedMeanwhile(false);
    last.current += 1;
    return last.current;
  };

  const check = async (draft: Draft, turn: number) => {
    setBusy('checking');
    const answered = await model.ask(previewTable(tableOf(draft)));
    if (turn !== last.current) return;
    setBusy(undefined);
    // What was mended meanwhile stays.
    if ('answer' in answered) setOpen((now) => now && { ...now, checked: { draft, preview: answered.answer } });
    else setFailure(answered);
  };

  const choose = async (file: File, encoding?: Encoding) => {
    const turn = begin('reading');
    setDone(undefined);
    if (file.size > maxImportBytes) {
      setBusy(undefined);
      setFailure({ kind: 'file-too-large', maxBytes: maxImportBytes });
      return;
    }
    const answered = await model.ask(readFile(file, encoding));
    if (turn !== last.current) return;
    if (!('answer' in answered)) {
      setBusy(undefined);
      setFailure(answered);
      return;
    }
    const draft = draftOf(answered.answer);
    setOpen({ file, encoding: answered.answer.encoding, draft, checked: undefined });
    await check(draft, turn);
  };

  const apply = async ({ draft, checked }: OpenFile) => {
    if (!checked) return;
    const turn = begin('applying');
    const answered = await model.ask(applyTable({ ...tableOf(draft), fingerprint: checked.preview.fingerprint }));
    if ('answer' in answered) {
      setBusy(undefined);
      setDone(answered.answer);
      setOpen(undefined);
      model.reloadDepartments();
    } else if (answered.kind === 'refused' && answered.code === 'ORGANISATION_CHANGED') {
      setChangedMeanwhile(true);
      await check(draft, turn);
    } else {
      setBusy(undefined);
      setFailure(answered);
    }
  };

  const unlessBusy = (act: () => Promise<void>) => {
    if (!busy) void act();
  };
  return {
    open,
    done,
    busy,
    failure,
    changedMeanwhile,
    choose: (file, encoding) => unlessBusy(() => choose(file, encoding)),
    mend: (draft) => setOpen((before) => before && { ...before, draft }),
    check() {
      if (!open || busy) return;
      void check(open.draft, begin('checking'));
    },
    apply() {
      if (open) unlessBusy(() => apply(open));
    },
    leave() {
      // What is being applied cannot be called back, and what comes of it is told.
      if (busy === 'applying') return;
      last.current += 1;
      setBusy(undefined);
      setOpen(undefined);
      setDone(undefined);
      setFailure(undefined);
    },
  };
}
