import { useState } from 'react';
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
  /** Back to the beginning. */
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

  const begin = (what: Busy) => {
    setBusy(what);
    setFailure(undefined);
    setChangedMeanwhile(false);
  };

  const check = async (read: Omit<OpenFile, 'checked'>) => {
    setBusy('checking');
    const answered = await model.ask(previewTable(tableOf(read.draft)));
    setBusy(undefined);
    if ('answer' in answered) setOpen({ ...read, checked: { draft: read.draft, preview: answered.answer } });
    else setFailure(answered);
  };

  const choose = async (file: File, encoding?: Encoding) => {
    begin('reading');
    setDone(undefined);
    if (file.size > maxImportBytes) {
      setBusy(undefined);
      setFailure({ kind: 'file-too-large', maxBytes: maxImportBytes });
      return;
    }
    const answered = await model.ask(readFile(file, encoding));
    if (!('answer' in answered)) {
      setBusy(undefined);
      setFailure(answered);
      return;
    }
    const read = { file, encoding: answered.answer.encoding, draft: draftOf(answered.answer) };
    setOpen({ ...read, checked: undefined });
    await check(read);
  };

  const apply = async ({ draft, checked, ...read }: OpenFile) => {
    if (!checked) return;
    begin('applying');
    const answered = await model.ask(applyTable({ ...tableOf(draft), fingerprint: checked.preview.fingerprint }));
    if ('answer' in answered) {
      setBusy(undefined);
      setDone(answered.answer);
      setOpen(undefined);
      model.reloadDepartments();
    } else if (answered.kind === 'refused' && answered.code === 'ORGANISATION_CHANGED') {
      setChangedMeanwhile(true);
      await check({ ...read, draft });
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
      begin('checking');
      void check(open);
    },
    apply() {
      if (open) unlessBusy(() => apply(open));
    },
    leave() {
      setOpen(undefined);
      setDone(undefined);
      setFailure(undefined);
    },
  };
}
