import type { ReactNode } from 'react';
import styles from './NamedPicture.module.css';

export function NamedPicture({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <p className={styles['named']}>
      {children}
      {name}
    </p>
  );
}
