import type { ReactNode } from 'react';
import { PlainButton } from './primitives/Button.tsx';
import { useMemberCard } from '../hooks/memberCard.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { classes } from './classes.ts';
import styles from './MemberButton.module.css';

/** A face, a name, or both, that opens the card of whose they are. */
export function MemberButton({
  userId,
  name,
  className,
  isFace = false,
  isAside = false,
  children,
}: {
  readonly userId: number;
  readonly name: string;
  readonly className?: string | undefined;
  /** There is nothing in it to be read, and beside it a button that says the same. */
  readonly isFace?: boolean;
  /** It is left out of the order of the Tab key, because there is another way to the card. */
  readonly isAside?: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords().memberCard;
  const card = useMemberCard();
  return (
    <PlainButton
      className={classes(styles['button'], className)}
      aria-haspopup="dialog"
      aria-hidden={isFace || undefined}
      tabIndex={isFace || isAside ? -1 : undefined}
      title={words.open(name)}
      onPointerEnter={card.preload}
      onFocus={card.preload}
      onClick={(event) => card.open(userId, event.currentTarget)}
    >
      {children}
    </PlainButton>
  );
}
