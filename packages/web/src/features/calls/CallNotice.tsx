import type { ReactNode } from 'react';
import { Icon, type IconNode } from '../../components/icons.ts';
import { classes } from '../../components/classes.ts';
import notice from '../../components/primitives/Notice.module.css';
import { useReturnFocus } from '../../hooks/returnFocus.ts';
import styles from './CallNotice.module.css';

interface CallNoticeProps {
  readonly label: string;
  readonly icon: IconNode;
  readonly tone: 'accent' | 'alert';
  readonly text: string;
  /** Buttons; `leave` gives the focus back before the notice disappears. */
  readonly children: (leave: (run: () => void) => () => void) => ReactNode;
}

/** A line above the screens about a call: missed, ended, or in another tab. */
export function CallNotice({ label, icon, tone, text, children }: CallNoticeProps) {
  const { returnFocus, ...placed } = useReturnFocus();
  const leave = (run: () => void) => () => {
    returnFocus();
    run();
  };
  return (
    <section className={classes(notice['notice'], styles['notice'])} data-tone={tone} aria-label={label} {...placed}>
      <Icon of={icon} size={16} strokeWidth={1.9} />
      <output className={notice['text']}>{text}</output>
      {children(leave)}
    </section>
  );
}
