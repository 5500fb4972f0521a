import type { ReactNode } from 'react';
import styles from './VisuallyHidden.module.css';

export function VisuallyHidden({ live = false, children }: { readonly live?: boolean; readonly children: ReactNode }) {
  const Element = live ? 'output' : 'span';
  return <Element className={styles['hidden']}>{children}</Element>;
}
