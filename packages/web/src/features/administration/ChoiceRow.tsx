import type { ReactNode } from 'react';
import styles from './ChoiceRow.module.css';

interface ChoiceRowProps {
  readonly label: string;
  /** A control with the same accessible name, or a fixed value. */
  readonly children: ReactNode;
}

export function ChoiceRow({ label, children }: ChoiceRowProps) {
  return (
    <div className={styles['row']}>
      <span aria-hidden>{label}</span>
      {children}
    </div>
  );
}
