import { useState, type KeyboardEvent, type ReactNode } from 'react';
import { classes } from '../classes.ts';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './Tooltip.module.css';

/** Shows the accessible name of the control inside. Hidden from screen readers, which read the name. */
export function Tooltip({
  text,
  side,
  children,
}: {
  readonly text: string;
  /** `bottomStart`: for a long text below a control at the left. */
  readonly side: 'top' | 'right' | 'bottom' | 'bottomStart';
  readonly children: ReactNode;
}) {
  const [dismissed, setDismissed] = useState(false);
  const show = () => setDismissed(false);
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape') setDismissed(true);
  };

  return (
    <span
      className={styles['anchor']}
      onPointerDown={() => setDismissed(true)}
      onPointerLeave={show}
      onBlur={(event) => {
        if (!event.currentTarget.matches(':hover')) show();
      }}
      onKeyDown={onKeyDown}
      role="presentation"
    >
      {children}
      <span className={classes(styles['tip'], styles[side], dismissed && styles['dismissed'])} aria-hidden>
        {text}
      </span>
    </span>
  );
}
