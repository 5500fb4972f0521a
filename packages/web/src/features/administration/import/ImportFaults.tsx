import { useMemo } from 'react';
import { Button, TextButton } from '../../../components/primitives/Button.tsx';
import { TextField } from '../../../components/primitives/TextField.tsx';
import { Icon, Undo2 } from '../../../components/icons.ts';
import { useImportWords } from '../../../i18n/import.ts';
import type { CheckedDraft } from '../drafts.ts';
import styles from './Import.module.css';
import {
  type Draft,
  type DraftRow,
  type FaultyRow,
  faultsIn,
  isWithoutHeader,
  placed,
  withAllBack,
  withCell,
  withColumn,
  without,
} from './importDraft.ts';

const mostShown = 50;

interface ImportFaultsProps {
  readonly draft: Draft;
  readonly checked: CheckedDraft;
  readonly checking: boolean;
  readonly onMend: (draft: Draft) => void;
  readonly onCheck: () => void;
}

export function ImportFaults({ draft, checked, checking, onMend, onCheck }: ImportFaultsProps) {
  const all = useImportWords();
  const words = all.faults;
  const faults = useMemo(() => faultsIn(checked.draft, checked.preview), [checked]);
  const rows = useMemo(() => new Map(draft.rows.map((row) => [row.line, row])), [draft]);
  const before = useMemo(() => new Map(checked.draft.rows.map((row) => [row.line, row])), [checked]);
  const left = faults.rows.filter(({ line }) => rows.has(line));
  const isFirstLineARow = isWithoutHeader(draft);
  const count = checked.preview.fault_count;
  return (
    <section className={styles['card']} aria-labelledby="import-faults">
      <div className={styles['top']}>
        <div>
          <h3 id="import-faults">{words.heading(count)}</h3>
          <p className={styles['advice']}>{words.advice}</p>
        </div>
        <Button variant="primary" className={styles['main']} aria-disabled={checking} onClick={onCheck}>
          {checking ? all.file.checking : words.check}
        </Button>
      </div>
      {draft.leftOut.length > 0 && (
        <p className={styles['leftOut']}>
          <output>{words.leftOut(draft.leftOut.length)}</output>
          <TextButton className={styles['plain']} onClick={() => onMend(withAllBack(draft))}>
            <Icon of={Undo2} size={14} />
            {words.bringBack}
          </TextButton>
        </p>
      )}
      {faults.header.length > 0 && (
        <fieldset className={styles['faulty']}>
          <legend>{isFirstLineARow ? words.inNoHeader : words.inHeader}</legend>
          {faults.header.map(
            ({ column, fault }) =>
              column === undefined && (
                <p key={fault} className={styles['why']}>
                  {words.why[fault]}
                </p>
              ),
          )}
          <div className={styles['cells']}>
            {placed(draft.header).map(({ at: column, text: name }) => {
              const example = isFirstLineARow ? draft.rows[0]?.cells[column] : undefined;
              const isUnchanged = checked.draft.header[column] === name;
              const fault = isUnchanged ? faults.header.find((each) => each.column === column)?.fault : undefined;
              return (
                <TextField
                  key={column}
                  optional
                  quiet
                  enterKeyHint="done"
                  label={words.extra(column + 1)}
                  value={name}
                  note={example ? words.example(example) : undefined}
                  complaint={fault && words.why[fault]}
                  onValue={(text) => onMend(withColumn(draft, column, text))}
                  onEnter={onCheck}
                />
              );
            })}
          </div>
        </fieldset>
      )}
      <ol className={styles['faultyRows']}>
        {left.slice(0, mostShown).map((faulty) => (
          <li key={faulty.line}>
            <Row
              faulty={faulty}
              header={draft.header}
              row={rows.get(faulty.line)}
              before={before.get(faulty.line)}
              onValue={(column, text) => onMend(withCell(draft, faulty.line, column, text))}
              onEnter={onCheck}
              onLeaveOut={() => onMend(without(draft, faulty.line))}
            />
          </li>
        ))}
      </ol>
      {left.length > mostShown && <p className={styles['advice']}>{words.more(left.length - mostShown)}</p>}
    </section>
  );
}

interface RowProps {
  readonly faulty: FaultyRow;
  readonly header: readonly string[];
  readonly row: DraftRow | undefined;
  readonly before: DraftRow | undefined;
  readonly onValue: (column: number, text: string) => void;
  readonly onEnter: () => void;
  readonly onLeaveOut: () => void;
}

function Row({ faulty: { line, cells, others }, header, row, before, onValue, onEnter, onLeaveOut }: RowProps) {
  const words = useImportWords().faults;
  const wrong = new Set(cells.map(({ column }) => column));
  const rest = (row?.cells ?? []).flatMap((cell, column) =>
    cell === '' || wrong.has(column) ? [] : { column, name: header[column] ?? '', cell },
  );
  return (
    <fieldset className={styles['faulty']}>
      <legend>{words.line(line)}</legend>
      <dl className={styles['rest']}>
        {rest.map(({ column, name, cell }) => (
          <div key={column}>
            <dt>{name}</dt>
            <dd>{cell}</dd>
          </div>
        ))}
      </dl>
      {others.map((fault) => (
        <p key={fault} className={styles['why']}>
          {words.why[fault]}
        </p>
      ))}
      <div className={styles['cells']}>
        {cells.map(({ column, fault }) => (
          <TextField
            key={column}
            optional
            quiet
            enterKeyHint="done"
            label={header[column] || words.extra(column + 1)}
            value={row?.cells[column] ?? ''}
            complaint={row?.cells[column] === before?.cells[column] ? words.why[fault] : undefined}
            onValue={(text) => onValue(column, text)}
            onEnter={onEnter}
          />
        ))}
      </div>
      <TextButton tone="danger" className={styles['leaveOut']} aria-label={words.leaveOutLine(line)} onClick={onLeaveOut}>
        {words.leaveOut}
      </TextButton>
    </fieldset>
  );
}
