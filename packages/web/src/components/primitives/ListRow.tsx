import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { PlainButton } from './Button.tsx';
import styles from './ListRow.module.css';

/** A row of a list that can be pressed. `active` marks the row that the arrow keys reached while the focus is in a field. */
export function ListRow({ active, className, ...props }: ComponentProps<'button'> & { readonly active?: boolean }) {
  return <PlainButton data-active={active || undefined} {...props} className={classes(styles['row'], className)} />;
}

export function ListLink({ active, className, children, ...props }: ComponentProps<'a'> & { readonly active?: boolean }) {
  return (
    <a data-active={active || undefined} {...props} className={classes(styles['row'], className)}>
      {children}
    </a>
  );
}
