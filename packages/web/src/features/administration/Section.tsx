import type { ReactNode } from 'react';
import { ChevronLeft, Icon } from '../../components/icons.ts';
import { scrollableByKeyboard } from '../../components/primitives/scrollable.ts';
import { useAdministrationWords } from '../../i18n/administration.ts';
import type { AdministrationDictionary } from '../../i18n/administration.ja.ts';
import { TextLink } from '../../components/primitives/Button.tsx';
import styles from './Section.module.css';

interface SectionProps {
  readonly section: keyof AdministrationDictionary['sections'];
  readonly backAddress: string | undefined;
  readonly action?: ReactNode;
  readonly top?: ReactNode;
  readonly children?: ReactNode;
}

export function Section({ section, backAddress, action, top, children }: SectionProps) {
  const words = useAdministrationWords();
  return (
    <section className={styles['section']} aria-labelledby="administration-heading">
      <header className={styles['header']}>
        {backAddress !== undefined && (
          <TextLink href={backAddress} className={styles['back']} aria-label={words.toSections}>
            <Icon of={ChevronLeft} size={22} />
          </TextLink>
        )}
        <h2 id="administration-heading">{words.sections[section]}</h2>
        {action}
      </header>
      {top && <div className={styles['top']}>{top}</div>}
      <div className={styles['content']} ref={scrollableByKeyboard}>
        <div className={styles['inside']}>{children}</div>
      </div>
    </section>
  );
}
