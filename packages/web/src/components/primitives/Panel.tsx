import type { ReactNode } from 'react';
import styles from './Panel.module.css';

export function Panel({
  heading,
  action,
  top,
  children,
}: {
  readonly heading: string;
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
