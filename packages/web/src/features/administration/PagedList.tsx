import type { ReactNode } from 'react';
import { TextButton } from '../../components/primitives/Button.tsx';
import { FailureState, Skeleton } from '../../components/primitives/EmptyState.tsx';
import { SearchField } from '../../components/primitives/SearchField.tsx';
import { useAdministrationWords } from '../../i18n/administration.ts';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './List.module.css';
import type { PagedQuery } from './usePagedQuery.ts';
import { useRefusalText } from './useRefusalText.ts';

export function PagedList<Row>({
  query: { rows, isAll = true, loading = false, failure, more, reload },
  label,
  empty,
  skeletonRows = 8,
  framed = true,
  children,
}: {
  readonly query: Pick<PagedQuery<Row>, 'rows' | 'failure' | 'reload'> & Partial<PagedQuery<Row>>;
  readonly label: string;
  readonly empty: ReactNode;
  readonly skeletonRows?: number;
  readonly framed?: boolean;
  readonly children: (row: Row) => ReactNode;
}) {
  const all = useWords();
  const words = useAdministrationWords();
  const refusal = useRefusalText();
  return (
    <>
      {!rows && !failure && <Skeleton rows={skeletonRows} label={all.loading} />}
      {rows?.length === 0 && empty}
      {rows && rows.length > 0 && (
        <ul className={framed ? styles['list'] : undefined} aria-label={label} aria-busy={loading}>
          {rows.map(children)}
        </ul>
      )}
      {failure && <FailureState text={refusal(failure)} again={all.again} onAgain={reload} />}
      {!failure && rows && !isAll && (
        <TextButton className={styles['more']} aria-disabled={loading} onClick={() => loading || more?.()}>
          {loading ? all.loading : words.more}
        </TextButton>
      )}
    </>
  );
}

interface ListSearchProps {
  readonly label: string;
  readonly onQuery: (query: string) => void;
  readonly children?: ReactNode;
}

export function ListSearch({ label, onQuery, children }: ListSearchProps) {
  return (
    <div className={styles['tools']}>
      <div className={styles['search']}>
        <SearchField label={label} maxLength={200} onQuery={onQuery} />
      </div>
      {children}
    </div>
  );
}

interface MarkProps {
  readonly tone?: 'off' | 'open' | 'department' | undefined;
  readonly children: string;
}

export function Mark({ tone, children }: MarkProps) {
  return (
    <em className={styles['mark']} data-tone={tone}>
      {children}
    </em>
  );
}
