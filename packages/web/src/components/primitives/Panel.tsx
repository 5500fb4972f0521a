import type { ReactNode } from 'react';
import { RotateCw } from '../icons.ts';
import styles from './Panel.module.css';

/** The column beside the chat: a heading, what stays in place under it, and what scrolls. */
export function Panel({
  heading,
  action,
  top,
  children,
}: {
  readonly heading: string;
  /** Beside the heading. */
  readonly action?: ReactNode;
  readonly top?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles['panel']}>
      <div className={styles['heading']}>
        <h1>{heading}</h1>
        {action}
      </div>
      {top && <div className={styles['top']}>{top}</div>}
      <div className={styles['content']}>{children}</div>
    </div>
  );
}

export function PanelNote({ heading, children }: { readonly heading: string; readonly children?: ReactNode }) {
  return (
    <output className={styles['note']}>
      <span>{heading}</span>
      {children && <span className={styles['advice']}>{children}</span>}
    </output>
  );
}

/** Stands where rows would be. */
export function PanelFailure({
  text,
  again,
  onAgain,
}: {
  readonly text: string;
  readonly again: string;
  readonly onAgain: () => void;
}) {
  return (
    <div className={styles['note']} role="alert">
      <p>{text}</p>
      <button type="button" className={styles['again']} onClick={onAgain}>
        <RotateCw aria-hidden size={16} />
        {again}
      </button>
    </div>
  );
}

/** Stands where rows will be. */
export function Skeleton({ rows, label }: { readonly rows: number; readonly label: string }) {
  return (
    <output className={styles['skeleton']} aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </output>
  );
}
