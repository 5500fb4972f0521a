import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import styles from './Button.module.css';

type ButtonProps = ComponentProps<'button'>;

/**
 * The controls of the product. Use the first that fits:
 * - `Button`: an action with a frame. `primary` once per form or dialog, `danger` for an action that cannot be undone, else `outline`.
 * - `TextButton`: an action of lower rank, in the accent colour without a frame. `underlined` inside a sentence. `TextLink` for a link.
 * - `IconButton`: an icon with an accessible name, and a tooltip unless the place leaves no room for one.
 * - `MenuButton` with `MenuItems`: several actions behind one icon.
 * - `ListRow`, `ListLink`: a whole row of a list that can be pressed or chosen, and one that is a link.
 * - `PlainButton`: a control with a custom look, such as a chip or a tab. It has no style.
 *
 * The rules of all controls are in the cascade layer `controls`, so `className` overrides them.
 */
export function Button({
  variant = 'outline',
  size = 'large',
  className,
  ...props
}: ButtonProps & {
  readonly variant?: 'outline' | 'primary' | 'danger';
  /** 40, 38 or 32 pixels high; at least 44 in a narrow window. */
  readonly size?: 'large' | 'medium' | 'small';
}) {
  return <PlainButton {...props} className={classes(styles['button'], styles[variant], styles[size], className)} />;
}

export function TextButton({
  tone = 'accent',
  underlined = false,
  className,
  ...props
}: ButtonProps & { readonly tone?: 'accent' | 'danger'; readonly underlined?: boolean }) {
  return <PlainButton {...props} className={classes(styles[underlined ? 'underlined' : 'text'], styles[tone], className)} />;
}

/** A link that looks like a `TextButton`. */
export function TextLink({ className, children, ...props }: ComponentProps<'a'>) {
  return (
    <a {...props} className={classes(styles['text'], styles['accent'], className)}>
      {children}
    </a>
  );
}

/** A button that submits no form unless `type` says so. */
export function PlainButton(props: ButtonProps) {
  return <button type="button" {...props} />;
}
