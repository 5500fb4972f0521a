import type { ReactNode } from 'react';
import { PlainButton } from './primitives/Button.tsx';
import { useMemberCard } from '../hooks/memberCard.ts';
import { useWords } from '../i18n/LocaleProvider.tsx';
import { classes } from './classes.ts';
import styles from './MemberButton.module.css';

interface MemberButtonProps {
  readonly userId: number;
  readonly name: string;
  readonly className?: string | undefined;
  readonly isFace?: boolean;
  readonly isAside?: boolean;
  readonly children: ReactNode;
}

export function MemberButton({ userId, name, className, isFace = false, isAside = false, children }: MemberButtonProps) {
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
