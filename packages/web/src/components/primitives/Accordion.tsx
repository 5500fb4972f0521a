import { useId, useState, type ReactNode } from 'react';
import { PlainButton } from './Button.tsx';
import styles from './Accordion.module.css';
import { ChevronRight, Icon, type IconNode } from '../icons.ts';

export function Accordion({ children }: { readonly children: ReactNode }) {
  return <div className={styles['accordion']}>{children}</div>;
}

interface AccordionSectionProps {
  readonly heading: string;
  readonly icon: IconNode;
  readonly initiallyOpen?: boolean;
  /** The children exist only while the section is open, so that they load nothing before. */
  readonly deferred?: boolean;
  readonly children: ReactNode;
}

export function AccordionSection({ heading, icon, initiallyOpen = false, deferred = false, children }: AccordionSectionProps) {
  const id = useId();
  const [open, setOpen] = useState(initiallyOpen);
  return (
    <div className={styles['section']}>
      <h2>
        <PlainButton
          id={`${id}-heading`}
          className={styles['heading']}
          aria-expanded={open}
          aria-controls={`${id}-panel`}
          onClick={() => setOpen(!open)}
        >
          <Icon of={icon} size={18} strokeWidth={1.75} />
          <span>{heading}</span>
          <Icon of={ChevronRight} className={styles['chevron']} size={16} />
        </PlainButton>
      </h2>
      <section id={`${id}-panel`} aria-labelledby={`${id}-heading`} className={styles['panel']} hidden={!open}>
        {(open || !deferred) && children}
      </section>
    </div>
  );
}
