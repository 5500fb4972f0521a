import { ChevronLeft, Icon } from '../icons.ts';
import { TextLink } from './Button.tsx';
import styles from './Panel.module.css';

export function BackLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <TextLink href={href} className={styles['back']}>
      <Icon of={ChevronLeft} size={16} />
      {children}
    </TextLink>
  );
}
