import { useEffect, useRef, useState, type DragEvent } from 'react';
import { TextButton } from '../../../components/primitives/Button.tsx';
import { CircleAlert, Icon, RotateCw } from '../../../components/icons.ts';
import { Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { Select } from '../../../components/primitives/Select.tsx';
import { fileSize } from '../../../i18n/fileSize.ts';
import { useImportWords } from '../../../i18n/import.ts';
import type { ImportDictionary } from '../../../i18n/import.ja.ts';
import type { Failure } from '../../../model/connection/failure.ts';
import type { Encoding, OpenFile } from '../drafts.ts';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import styles from './Import.module.css';
import { ImportChoice } from './ImportChoice.tsx';
import { ImportDifference } from './ImportDifference.tsx';
import { ImportDone } from './ImportDone.tsx';
import { ImportFaults } from './ImportFaults.tsx';
import { ImportRows } from './ImportRows.tsx';
import { Section } from '../Section.tsx';
import { type Importing, useImport } from './useImport.ts';
import { useRefusalText } from '../useRefusalText.ts';

const encodings = ['utf-8', 'shift_jis', 'utf-16le'] as const satisfies readonly Encoding[];

/** Imports members and departments from a spreadsheet. Nothing changes before the administrator has reviewed it. */
export function Import({ backAddress }: { readonly backAddress: string | undefined }) {
  const importing = useImport();
  const words = useImportWords();
  const { open, done, busy } = importing;
  const drop = useDrop(importing);
  return (
    <Section section="import" backAddress={backAddress}>
      <div className={styles['import']} data-over={drop.over || undefined} {...drop.handlers}>
        {/* Near its cause: next to the file field, or below the file name. */}
        {!open && <ImportFailure importing={importing} />}
        {!open && !done && <ImportChoice busy={busy === 'reading'} onChoose={importing.choose} />}
        {open && <FileBar open={open} importing={importing} />}
        {open && <ImportFailure importing={importing} />}
        {open && !open.checked && busy && <Skeleton rows={4} label={words.file.checking} />}
        {open?.checked && <CheckedDraft open={open} importing={importing} />}
        {done && <ImportDone done={done} onAgain={importing.leave} />}
        <VisuallyHidden live>{outcome(importing, words)}</VisuallyHidden>
      </div>
    </Section>
  );
}

function outcome({ open, busy }: Importing, words: ImportDictionary): string | undefined {
  if (busy === 'checking') return words.file.checking;
  if (!open?.checked || open.checked.draft !== open.draft) return undefined;
  const { fault_count: faults } = open.checked.preview;
  return faults > 0 ? words.faults.heading(faults) : words.difference.heading;
}

function CheckedDraft({ open, importing }: { readonly open: OpenFile; readonly importing: Importing }) {
  const words = useImportWords();
  const { checked, draft } = open;
  if (!checked) return undefined;
  const { preview } = checked;
  const isAsChecked = checked.draft === draft;
  return (
    <>
      {preview.ignored.length > 0 && <p className={styles['advice']}>{words.file.ignored(preview.ignored)}</p>}
      {(preview.fault_count > 0 || !isAsChecked) && (
        <ImportFaults
          draft={draft}
          checked={checked}
          checking={importing.busy === 'checking'}
          onMend={importing.mend}
          onCheck={importing.check}
        />
      )}
      {isAsChecked && preview.difference && (
        <ImportDifference
          difference={preview.difference}
          applying={importing.busy === 'applying'}
          changedMeanwhile={importing.changedMeanwhile}
          onApply={importing.apply}
        />
      )}
      <ImportRows draft={draft} />
    </>
  );
}

function FileBar({ open, importing }: { readonly open: OpenFile; readonly importing: Importing }) {
  const words = useImportWords().file;
  const { file, encoding, draft } = open;
  return (
    <div className={styles['file']}>
      <p className={styles['name']}>
        <strong>{file.name}</strong>
        <small>{words.rows(draft.rows.length)}</small>
      </p>
      <span className={styles['encoding']}>
        <span aria-hidden>{words.encoding}</span>
        <Select
          name={words.encoding}
          options={encodings.map((value) => ({ value, label: words.encodings[value] }))}
          chosen={encoding}
          onChoose={(chosen) => importing.choose(file, chosen)}
        />
      </span>
      <TextButton className={styles['plain']} aria-disabled={importing.busy === 'applying'} onClick={importing.leave}>
        {words.another}
      </TextButton>
    </div>
  );
}

/** Scrolls into view, because the pressed button may be far below. */
function ImportFailure({ importing: { failure, open, check } }: { readonly importing: Importing }) {
  const words = useImportWords();
  const refusal = useRefusalText();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) box.current?.scrollIntoView({ block: 'nearest' });
  }, [failure]);
  if (!failure) return undefined;
  return (
    <div ref={box} className={styles['failure']} role="alert">
      <Icon of={CircleAlert} size={16} />
      <p>{failureIn(words, failure) ?? refusal(failure)}</p>
      {open && (
        <TextButton className={styles['plain']} onClick={check}>
          <Icon of={RotateCw} size={14} />
          {words.faults.check}
        </TextButton>
      )}
    </div>
  );
}

function failureIn({ file }: ImportDictionary, failure: Failure): string | undefined {
  if (failure.kind === 'file-too-large') return file.tooLarge(fileSize(failure.maxBytes));
  if (failure.kind !== 'refused') return undefined;
  if (failure.code === 'FILE_NOT_READABLE') return file.notReadable;
  return failure.code === 'PAYLOAD_TOO_LARGE' ? file.tooManyRows : undefined;
}

const isFile = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

function useDrop({ choose, busy }: Importing) {
  const [over, setOver] = useState(false);
  const depth = useRef(0);
  const leave = () => {
    depth.current = 0;
    setOver(false);
  };
  return {
    over,
    handlers: {
      onDragEnter(event: DragEvent) {
        if (!isFile(event)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragLeave(event: DragEvent) {
        if (!isFile(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) leave();
      },
      onDragOver(event: DragEvent) {
        if (isFile(event)) event.preventDefault();
      },
      onDrop(event: DragEvent) {
        if (!isFile(event)) return;
        event.preventDefault();
        leave();
        const [file] = event.dataTransfer.files;
        if (file && !busy) choose(file);
      },
    },
  };
}
