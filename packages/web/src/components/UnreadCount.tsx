import { VisuallyHidden } from './primitives/VisuallyHidden.tsx';
import { useWords } from '../i18n/LocaleProvider.tsx';
import styles from './UnreadCount.module.css';

export function MentionCount({ count }: { readonly count: number }) {
  const words = useWords();
  if (count === 0) return null;
  return (
    <span className={styles['mentions']}>
      <span aria-hidden>{words.withAt(count)}</span>
      <VisuallyHidden>{words.mentions(count)}</VisuallyHidden>
    </span>
  );
}

/** R2.6: the number of unread messages in red brackets, or grey if muted. */
export function UnreadCount({ count, muted }: { readonly count: number; readonly muted: boolean }) {
  const words = useWords();
  return (
    <span className={styles['count']} data-muted={muted}>
      <span aria-hidden>{words.inBrackets(count)}</span>
      <VisuallyHidden>{words.unread(count)}</VisuallyHidden>
    </span>
  );
}
