import type { ComponentProps, PointerEvent } from 'react';
import { Icon, type IconNode } from '../icons.ts';
import { classes } from '../classes.ts';
import { PlainButton } from './Button.tsx';
import styles from './IconButton.module.css';
import { Tooltip } from './Tooltip.tsx';

export function IconButton({
  name,
  icon,
  size = 'large',
  tooltip = 'top',
  disabled = false,
  expanded,
  popup = 'dialog',
  controls,
  onApproach,
  keepFocus = false,
  className,
  ...props
}: Omit<ComponentProps<'button'>, 'name' | 'popover'> & {
  readonly name: string;
  readonly icon: IconNode;
  /** 38 or 32 pixels. */
  readonly size?: 'large' | 'small';
  readonly tooltip?: 'top' | 'right' | 'bottom' | 'none';
  /** The button looks disabled and keeps the focus. The caller ignores the click. */
  readonly disabled?: boolean;
  /** For a button that opens a popup: whether it is open, its kind, and its id while it is open. */
  readonly expanded?: boolean | undefined;
  readonly popup?: 'dialog' | 'menu';
  readonly controls?: string | undefined;
  /** The pointer or the focus arrived: the caller can preload code for the click. */
  readonly onApproach?: (() => void) | undefined;
  /** A press does not move the focus, so a telephone keeps its keyboard open. */
  readonly keepFocus?: boolean;
}) {
  const onPointerDown = (event: PointerEvent) => {
    if (keepFocus) event.preventDefault();
  };
  const button = (
    <PlainButton
      {...props}
      className={classes(styles['button'], styles[size], className)}
      aria-label={name}
      aria-disabled={disabled}
      aria-expanded={expanded}
      aria-haspopup={expanded === undefined ? undefined : popup}
      aria-controls={controls}
      onPointerDown={onPointerDown}
      onPointerEnter={onApproach}
      onFocus={onApproach}
    >
      <Icon of={icon} size={size === 'large' ? 20 : 16} strokeWidth={1.75} />
    </PlainButton>
  );
  if (tooltip === 'none') return button;
  return (
    <Tooltip text={name} side={tooltip}>
      {button}
    </Tooltip>
  );
}
