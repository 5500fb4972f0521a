import type { ReactNode } from 'react';
import styles from './Panel.module.css';

interface PanelProps {
  readonly heading: string;
  readonly action?: ReactNode;
  readonly top?: ReactNode;
  readonly children: ReactNode;
}

export function Panel({ heading, action, top, children }: PanelProps) {
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
