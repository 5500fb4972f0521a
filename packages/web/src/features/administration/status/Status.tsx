import { useId, useState } from 'react';
import { type ServerStatus, statusFigures } from '@engawa/protocol/administration';
import { Check, CircleAlert, Icon, TriangleAlert } from '../../../components/icons.ts';
import { Choice } from '../../../components/primitives/Choice.tsx';
import { FailureState, Skeleton } from '../../../components/primitives/EmptyState.tsx';
import { VisuallyHidden } from '../../../components/primitives/VisuallyHidden.tsx';
import { fileSize } from '../../../i18n/fileSize.ts';
import { useLanguage, useWords } from '../../../i18n/LocaleProvider.tsx';
import { useStatusWords } from '../../../i18n/status.ts';
import { useTimes } from '../../../hooks/times.ts';
import { readStatus } from '../calls.ts';
import { Section } from '../Section.tsx';
import { useQuery } from '../../../hooks/query.ts';
import { useRefusalText } from '../useRefusalText.ts';
import { Chart } from './Chart.tsx';
import styles from './Status.module.css';

const secondsOf = { day: 24 * 60 * 60, week: 7 * 24 * 60 * 60 } as const;

/** How the server is doing, for administrators who have no other monitoring. */
export function Status({ backAddress }: { readonly backAddress: string | undefined }) {
  const all = useWords();
  const refusal = useRefusalText();
  const { answer, failure, reload } = useQuery<ServerStatus>(readStatus);
  return (
    <Section section="status" backAddress={backAddress}>
      {!answer && !failure && <Skeleton rows={5} label={all.loading} />}
      {!answer && failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {answer && (
        <div className={styles['status']}>
          <Findings findings={answer.findings} />
          <Facts status={answer} />
          <Charts status={answer} />
        </div>
      )}
    </Section>
  );
}

const icons = { ok: Check, warning: TriangleAlert, problem: CircleAlert } as const;
const gravest = ['problem', 'warning', 'ok'] as const;

function Findings({ findings }: Pick<ServerStatus, 'findings'>) {
  const words = useStatusWords();
  const isJapanese = useLanguage().locale === 'ja';
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{words.findings}</h3>
      <ul className={styles['findings']}>
        {gravest
          .flatMap((level) => findings.filter((finding) => finding.level === level))
          .map(({ level, ja, en }) => {
            const icon = icons[level];
            return (
              <li key={en} data-level={level}>
                <Icon of={icon} size={16} />
                <span>
                  <VisuallyHidden>{words.levelled(level)}</VisuallyHidden>
                  {isJapanese ? ja : en}
                </span>
              </li>
            );
          })}
      </ul>
      <p className={styles['note']}>{words.thorough}</p>
    </section>
  );
}

function Facts({ status }: { readonly status: ServerStatus }) {
  const words = useStatusWords();
  const times = useTimes();
  const id = useId();
  const { version, node, started, last_backup: backup, disk, day } = status;
  const signIns = day.values.failed_sign_ins.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{words.facts}</h3>
      <dl className={styles['facts']}>
        <dt>{words.version}</dt>
        <dd>{`${version} (Node ${node})`}</dd>
        <dt>{words.runs}</dt>
        <dd>{times.full(started)}</dd>
        <dt>{words.backup}</dt>
        <dd>{backup === null ? words.never : times.full(backup)}</dd>
        <dt>{words.size}</dt>
        <dd>{words.sizes(fileSize(disk.database_bytes), fileSize(disk.file_bytes))}</dd>
        <dt>{words.free}</dt>
        <dd>
          {fileSize(disk.free_bytes)}
          <small>{disk.days_left === null ? words.noEnd : words.daysLeft(disk.days_left)}</small>
        </dd>
        <dt>{words.signIns}</dt>
        <dd>{words.times(signIns)}</dd>
      </dl>
    </section>
  );
}

function Charts({ status }: { readonly status: ServerStatus }) {
  const words = useStatusWords();
  const id = useId();
  const [span, setSpan] = useState<keyof typeof secondsOf>('day');
  return (
    <section aria-labelledby={id}>
      <header className={styles['heading']}>
        <h3 id={id}>{words.charts}</h3>
        <Choice
          label={words.span}
          labelled={false}
          options={(['day', 'week'] as const).map((value) => ({ value, label: words.spans[value] }))}
          chosen={span}
          onChoose={setSpan}
        />
      </header>
      <p className={styles['note']}>{span === 'day' ? words.perSample : words.perHour}</p>
      <ul className={styles['charts']}>
        {statusFigures.map((figure) => (
          <Chart key={figure} figure={figure} series={status[span]} span={secondsOf[span]} />
        ))}
      </ul>
    </section>
  );
}
