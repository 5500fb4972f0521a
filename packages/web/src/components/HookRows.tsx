import type { ComponentProps, ReactNode } from 'react';
import type { Query } from '../hooks/query.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import type { Failure } from '../model/connection/failure.ts';
import { Icon, Plus } from './icons.ts';
import { Button } from './primitives/Button.tsx';
import { FailureState } from './primitives/EmptyState.tsx';
import styles from './HookRows.module.css';

interface HookRowsProps {
  readonly words: Readonly<Record<'loading' | 'none' | 'list' | 'create', string>>;
  readonly advice: string;
  readonly query: Query<{ readonly hooks: readonly unknown[] }>;
  readonly failureText: (failure: Failure) => string;
  /** Undefined if the member may create none here. */
  readonly onCreate: (() => void) | undefined;
  /** A row for each hook. */
  readonly children: ReactNode;
}

/** A list of hooks, which may be loading, failed or empty. */
export function HookRows({ words, advice, query, failureText, onCreate, children }: HookRowsProps) {
  const { again } = useWords();
  const { answer, failure, reload } = query;
  return (
    <>
      <p className={styles['advice']}>{advice}</p>
      {!answer && !failure && <output className={styles['advice']}>{words.loading}</output>}
      {failure && <FailureState text={failureText(failure)} again={again} onAgain={reload} />}
      {answer?.hooks.length === 0 && <p className={styles['advice']}>{words.none}</p>}
      {answer && answer.hooks.length > 0 && <ul aria-label={words.list}>{children}</ul>}
      {onCreate && (
        <Button size="small" className={styles['create']} aria-haspopup="dialog" onClick={onCreate}>
          <Icon of={Plus} size={16} />
          {words.create}
        </Button>
      )}
    </>
  );
}

type HookActionProps = { readonly label: string; readonly name: string } & Pick<
  ComponentProps<typeof Button>,
  'className' | 'onClick' | 'aria-disabled' | 'aria-haspopup'
>;

/** @param name of the hook, which screen readers add to the label. */
export function HookAction({ label, name, ...button }: HookActionProps) {
  return (
    <Button size="small" aria-label={`${label} ${name}`} {...button}>
      {label}
    </Button>
  );
}
