import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import { IconButton } from './IconButton.tsx';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './MenuButton.module.css';

/** What the menu of a button takes from it. */
export interface OpenMenu {
  readonly id: string;
  readonly first: 'first' | 'last';
  readonly onClose: () => void;
  readonly onLeave: () => void;
}

/** A button that opens a menu by the WAI-ARIA menu button pattern, also with the arrows. */
export function MenuButton({
  name,
  icon,
  onApproach,
  children,
}: {
  readonly name: string;
  readonly icon: LucideIcon;
  /** What the menu or an item of it opens can be fetched. */
  readonly onApproach?: (() => void) | undefined;
  /** The menu, while it is open. */
  readonly children: (menu: OpenMenu) => ReactNode;
}) {
  const id = useId();
  const [button, setButton] = useState<HTMLButtonElement | null>(null);
  const [first, setFirst] = useState<OpenMenu['first']>();

  const onClose = () => {
    setFirst(undefined);
    button?.focus();
  };
  const onLeave = () => setFirst(undefined);
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
