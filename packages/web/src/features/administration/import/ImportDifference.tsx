import { useState, type ReactNode } from 'react';
import type { OrganisationDifference } from '@engawa/protocol/administration';
import { Button } from '../../../components/primitives/Button.tsx';
import { DialogForm } from '../../../components/primitives/DialogForm.tsx';
import { ChevronRight } from '../../../components/icons.ts';
import { useAdministrationWords } from '../../../i18n/administration.ts';
import { useImportWords } from '../../../i18n/import.ts';
import styles from './Import.module.css';
import question from '../MutationForm.module.css';

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
  const isNothing = changes(difference) === 0;
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
function ApplyQuestion({ difference: { departments, members, joins, leaves }, onApply, onClose }: ApplyQuestionProps) {
  const { cancel } = useAdministrationWords();
  const words = useImportWords().difference;
  const counts = [
    { label: words.departmentsMade, many: departments.made.length, count: words.departments(departments.made.length) },
    { label: words.departmentsMoved, many: departments.moved.length, count: words.departments(departments.moved.length) },
    { label: words.departmentsRenamed, many: departments.renamed.length, count: words.departments(departments.renamed.length) },
    { label: words.membersMade, many: members.made.length, count: words.people(members.made.length) },
    { label: words.membersChanged, many: members.changed.length, count: words.people(members.changed.length) },
    { label: words.joins, many: joins.length, count: words.stays(joins.length) },
    { label: words.leaves, many: leaves.length, count: words.stays(leaves.length) },
  ];
  return (
    // The second press of a double click on the opening button hits the backdrop, which must not close the dialog.
    <DialogForm
      heading={words.confirmHeading}
      holds
      failure={undefined}
      closeLabel={cancel}
      submitLabel={words.confirm}
      busy={false}
      onClose={onClose}
      onSubmit={onApply}
    >
      <div className={question['question']}>
        <p>{words.confirmQuestion}</p>
        <ul>
          {counts
            .filter(({ many }) => many > 0)
            .map(({ label, count }) => (
              <li key={label}>{words.counted(label, count)}</li>
            ))}
        </ul>
      </div>
    </DialogForm>
  );
}

const changes = ({ departments, members, joins, leaves }: OrganisationDifference): number =>
  departments.made.length +
  departments.moved.length +
  departments.renamed.length +
  members.made.length +
  members.changed.length +
  joins.length +
  leaves.length;

interface ChangesProps {
  readonly difference: OrganisationDifference;
  readonly isDone?: boolean;
}

/** @param isDone whether the changes were applied, or are proposed. */
export function Changes({ difference, isDone = false }: ChangesProps) {
  const { difference: before, changed: after } = useImportWords();
  const words = isDone ? { ...before, ...after } : before;
  const { departments, members, joins, leaves } = difference;
  const renamed = departments.renamed.map(({ from, to }) => ({ name: words.renamed(from, to), what: '' }));
  const made = members.made.map(({ full_name: name, email: what }) => ({ name, what }));
  const altered = members.changed.map(({ full_name: name, what }) => ({ name, what: words.what(what) }));
  return (
    <div className={styles['changes']}>
      <Part label={words.departmentsMade} count={words.departments(departments.made.length)} lines={plain(departments.made)} />
      <Part label={words.departmentsMoved} count={words.departments(departments.moved.length)} lines={plain(departments.moved)} />
      <Part label={words.departmentsRenamed} count={words.departments(renamed.length)} lines={renamed} />
      <Part label={words.membersMade} count={words.people(made.length)} lines={made} />
      <Part label={words.membersChanged} count={words.people(altered.length)} lines={altered} />
      <StreamMembers label={words.joins} stays={joins} />
      <StreamMembers label={words.leaves} stays={leaves} />
      {members.same > 0 && <p className={styles['same']}>{words.same(members.same)}</p>}
    </div>
  );
}

const plain = (names: readonly string[]): Line[] => names.map((name) => ({ name, what: '' }));

interface Line {
  readonly name: string;
  readonly what: string;
}

function Part({ label, count, lines }: { readonly label: string; readonly count: string; readonly lines: readonly Line[] }) {
  if (lines.length === 0) return undefined;
  return (
    <Fold label={label} count={count}>
      <Lines lines={lines} />
    </Fold>
  );
}

function StreamMembers({ label, stays }: { readonly label: string; readonly stays: OrganisationDifference['joins'] }) {
  const words = useImportWords().difference;
  if (stays.length === 0) return undefined;
  const streams = [...Map.groupBy(stays, ({ stream }) => stream)];
  return (
    <Fold label={label} count={words.stays(stays.length)}>
      <div className={styles['streams']}>
        {streams.slice(0, mostShown).map(([stream, some]) => (
          <Fold key={stream} label={stream} count={words.people(some.length)}>
            <Lines lines={some.map(({ full_name: name, email: what }) => ({ name, what }))} />
          </Fold>
        ))}
        {streams.length > mostShown && <p className={styles['advice']}>{words.more(streams.length - mostShown)}</p>}
      </div>
    </Fold>
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
        <ChevronRight aria-hidden size={16} />
        <span>{label}</span>
        <b>{count}</b>
      </summary>
      {children}
    </details>
  );
}
