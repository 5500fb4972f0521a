import { useState, type ReactNode } from 'react';
import type { OrganisationDifference } from '@engawa/protocol/administration';
import { Button } from '../../../components/primitives/Button.tsx';
import { DialogForm } from '../../../components/primitives/DialogForm.tsx';
import { ChevronRight, Icon } from '../../../components/icons.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useImportWords } from '../../../i18n/import.ts';
import type { ImportDictionary } from '../../../i18n/import.ja.ts';
import styles from './Import.module.css';
import question from '../../../components/primitives/ConfirmDialog.module.css';

/** Lines shown of one list, which may have 20,000. The count is shown as well. */
const mostShown = 200;

interface ImportDifferenceProps {
  readonly difference: OrganisationDifference;
  readonly applying: boolean;
  readonly changedMeanwhile: boolean;
  readonly onApply: () => void;
}

export function ImportDifference({ difference, applying, changedMeanwhile, onApply }: ImportDifferenceProps) {
  const words = useImportWords().difference;
  const [asking, setAsking] = useState(false);
  const isNothing = partsOf(difference, words).length === 0;
  return (
    <section className={styles['card']} aria-labelledby="import-difference">
      <div className={styles['top']}>
        <div>
          <h3 id="import-difference">{words.heading}</h3>
          <p className={styles['advice']}>{isNothing ? words.nothing : words.absent}</p>
        </div>
        {!isNothing && (
          <Button
            variant="primary"
            className={styles['main']}
            aria-disabled={applying}
            onClick={() => !applying && setAsking(true)}
          >
            {applying ? words.applying : words.apply}
          </Button>
        )}
      </div>
      {changedMeanwhile && (
        <p role="alert" className={styles['why']}>
          {words.changed}
        </p>
      )}
      <Changes difference={difference} />
      {asking && (
        <ApplyQuestion
          difference={difference}
          onApply={() => {
            setAsking(false);
            onApply();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}

interface ApplyQuestionProps {
  readonly difference: OrganisationDifference;
  readonly onApply: () => void;
  readonly onClose: () => void;
}

/** Asks first, because an import cannot be undone and the button appears where the file was checked a moment ago. */
function ApplyQuestion({ difference, onApply, onClose }: ApplyQuestionProps) {
  const { cancel } = useAdministrationWords();
  const words = useImportWords().difference;
  return (
    // The second press of a double click on the opening button hits the backdrop, which must not close the dialog.
    <DialogForm
      heading={words.confirmHeading}
      holds
      closeLabel={cancel}
      submitLabel={words.confirm}
      onClose={onClose}
      onSubmit={onApply}
    >
      <div className={question['question']}>
        <p>{words.confirmQuestion}</p>
        <ul>
          {partsOf(difference, words).map(({ label, count }) => (
            <li key={label}>{words.counted(label, count)}</li>
          ))}
        </ul>
      </div>
    </DialogForm>
  );
}

type Words = ImportDictionary['difference'];

interface Line {
  readonly name: string;
  readonly what: string;
}

interface Part {
  readonly label: string;
  readonly count: string;
  readonly lines?: readonly Line[];
  readonly streams?: OrganisationDifference['joins'];
}

const plain = (names: readonly string[]): Line[] => names.map((name) => ({ name, what: '' }));

function partsOf({ departments, members, joins, leaves }: OrganisationDifference, words: Words): readonly Part[] {
  const renamed = departments.renamed.map(({ from, to }) => words.renamed(from, to));
  const made = members.made.map(({ full_name: name, email: what }) => ({ name, what }));
  const changed = members.changed.map(({ full_name: name, what }) => ({ name, what: words.what(what) }));
  const parts = [
    { label: words.departmentsMade, count: words.departments(departments.made.length), lines: plain(departments.made) },
    { label: words.departmentsMoved, count: words.departments(departments.moved.length), lines: plain(departments.moved) },
    { label: words.departmentsRenamed, count: words.departments(renamed.length), lines: plain(renamed) },
    { label: words.membersMade, count: words.people(made.length), lines: made },
    { label: words.membersChanged, count: words.people(changed.length), lines: changed },
    { label: words.joins, count: words.stays(joins.length), streams: joins },
    { label: words.leaves, count: words.stays(leaves.length), streams: leaves },
  ];
  return parts.filter(({ lines, streams }) => (lines ?? streams ?? []).length > 0);
}

interface ChangesProps {
  readonly difference: OrganisationDifference;
  readonly isDone?: boolean;
}

/** @param isDone whether the changes were applied, or are proposed. */
export function Changes({ difference, isDone = false }: ChangesProps) {
  const { difference: before, changed: after } = useImportWords();
  const words = isDone ? { ...before, ...after } : before;
  return (
    <div className={styles['changes']}>
      {partsOf(difference, words).map(({ label, count, lines, streams }) => (
        <Fold key={label} label={label} count={count}>
          {lines && <Lines lines={lines} />}
          {streams && <StreamMembers members={streams} />}
        </Fold>
      ))}
      {difference.members.same > 0 && <p className={styles['same']}>{words.same(difference.members.same)}</p>}
    </div>
  );
}

function StreamMembers({ members }: { readonly members: OrganisationDifference['joins'] }) {
  const words = useImportWords().difference;
  const streams = [...Map.groupBy(members, ({ stream }) => stream)];
  return (
    <div className={styles['streams']}>
      {streams.slice(0, mostShown).map(([stream, some]) => (
        <Fold key={stream} label={stream} count={words.people(some.length)}>
          <Lines lines={some.map(({ full_name: name, email: what }) => ({ name, what }))} />
        </Fold>
      ))}
      {streams.length > mostShown && <p className={styles['advice']}>{words.more(streams.length - mostShown)}</p>}
    </div>
  );
}

function Lines({ lines }: { readonly lines: readonly Line[] }) {
  const words = useImportWords().difference;
  return (
    <ul className={styles['lines']}>
      {lines.slice(0, mostShown).map(({ name, what }) => (
        <li key={`${name} ${what}`}>
          <span>{name}</span>
          {what !== '' && <small>{what}</small>}
        </li>
      ))}
      {lines.length > mostShown && <li>{words.more(lines.length - mostShown)}</li>}
    </ul>
  );
}

function Fold({ label, count, children }: { readonly label: string; readonly count: string; readonly children: ReactNode }) {
  return (
    <details className={styles['fold']}>
      <summary>
        <Icon of={ChevronRight} size={16} />
        <span>{label}</span>
        <b>{count}</b>
      </summary>
      {children}
    </details>
  );
}
