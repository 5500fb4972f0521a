import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon, RotateCw } from '../icons.ts';
import { Button } from './Button.tsx';
import styles from './EmptyState.module.css';

/** Replaces the rows of an empty list. `children` are advice in a smaller text. `filling` centres it in a flex or block parent. */
export function EmptyState({
  heading,
  filling = false,
  children,
}: {
  readonly heading: string;
  readonly filling?: boolean;
  readonly children?: ReactNode;
}) {
  return (
    <output className={classes(styles['state'], filling && styles['filling'])}>
      <span>{heading}</span>
      {children && <span className={styles['advice']}>{children}</span>}
    </output>
  );
}

interface FailureStateProps {
  readonly text: string | undefined;
  readonly again: string;
  readonly filling?: boolean;
  readonly onAgain: () => void;
}

export function FailureState({ text, again, filling = false, onAgain }: FailureStateProps) {
  return (
    <div className={classes(styles['state'], filling && styles['filling'])} role="alert">
      <p>{text}</p>
      <Button className={styles['again']} onClick={onAgain}>
        <Icon of={RotateCw} size={16} />
        {again}
      </Button>
    </div>
  );
}

export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <output className={styles['skeleton']} aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </output>
  );
}
