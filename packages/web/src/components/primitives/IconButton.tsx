import type { MouseEvent, PointerEvent, Ref } from 'react';
import type { LucideIcon } from 'lucide-react';
import { classes } from '../classes.ts';
import styles from './IconButton.module.css';
import { Tooltip } from './Tooltip.tsx';

export function IconButton({
  name,
  icon: Icon,
  onClick,
  className,
  tooltip = 'top',
  disabled = false,
  expanded,
  popup = 'dialog',
  controls,
  onApproach,
  keepFocus = false,
  ref,
}: {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly onClick: (event: MouseEvent<HTMLButtonElement>) => void;
  readonly className?: string | undefined;
  readonly tooltip?: 'top' | 'right' | 'bottom';
  /** Looks and says so, but can still be reached. */
  readonly disabled?: boolean;
  /** For a button that opens something: whether it is open, what it is, and its id while it is there. */
  readonly expanded?: boolean | undefined;
  readonly popup?: 'dialog' | 'menu';
  readonly controls?: string | undefined;
  /** The pointer or the focus has come: what the button needs can be fetched. */
  readonly onApproach?: (() => void) | undefined;
  /** A tap leaves the focus, and with it the keyboard of a telephone, where it is. */
  readonly keepFocus?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}) {
  const onPointerDown = (event: PointerEvent) => {
    if (keepFocus) event.preventDefault();
  };
  return (
    <Tooltip text={name} side={tooltip}>
      <button
        ref={ref}
        type="button"
        className={classes(styles['button'], className)}
        aria-label={name}
        aria-disabled={disabled}
        aria-expanded={expanded}
        aria-haspopup={expanded === undefined ? undefined : popup}
        aria-controls={controls}
        onClick={onClick}
        onPointerDown={onPointerDown}
        onPointerEnter={onApproach}
        onFocus={onApproach}
      >
        <Icon aria-hidden size={20} strokeWidth={1.75} />
      </button>
    </Tooltip>
  );
}
