import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { IconNode } from '../icons.ts';
import { IconButton } from './IconButton.tsx';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './MenuButton.module.css';

export interface OpenMenu {
  readonly id: string;
  readonly first: 'first' | 'last';
  readonly onClose: () => void;
  readonly onLeave: (target: Node | null) => void;
}

interface MenuButtonProps {
  readonly name: string;
  readonly icon: IconNode;
  readonly onApproach?: (() => void) | undefined;
  readonly children: (menu: OpenMenu) => ReactNode;
}

export function MenuButton({ name, icon, onApproach, children }: MenuButtonProps) {
  const id = useId();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [first, setFirst] = useState<OpenMenu['first']>();

  const onClose = () => {
    setFirst(undefined);
    button?.focus();
  };
  const onLeave = (target: Node | null) => {
    if (!button?.contains(target)) setFirst(undefined);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (first || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    setFirst(event.key === 'ArrowDown' ? 'first' : 'last');
  };

  return (
    <span role="presentation" className={styles['anchor']} onKeyDown={onKeyDown}>
      <IconButton
        ref={setButton}
        name={name}
        icon={icon}
        expanded={first !== undefined}
        popup="menu"
        tooltip="bottom"
        controls={first && id}
        onClick={() => setFirst(first ? undefined : 'first')}
        onApproach={onApproach}
      />
      {first && children({ id, first, onClose, onLeave })}
    </span>
  );
}
