import { useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { fold } from '@engawa/folding';
import { Icon, type IconNode } from '../icons.ts';
import { useLayer } from './layers.ts';
import { useOutside, usePlacement } from './popup.ts';
import { moveFocus } from './focus.ts';
import { type MenuAnchor, placeMenu } from './menuPlacement.ts';
import { isForInputMethod } from '../inputMethod.ts';
import { PlainButton } from './Button.tsx';
import styles from './Menu.module.css';

export interface MenuItem {
  readonly name: string;
  readonly icon: IconNode;
  readonly danger?: boolean;
  readonly reason?: string | undefined;
  run(): void;
}

interface MenuItemsProps {
  readonly id?: string;
  readonly name: string;
  readonly items: readonly MenuItem[];
  readonly first: 'first' | 'last';
  /** By default the menu is below its positioned parent. */
  readonly at?: MenuAnchor;
  readonly onClose: () => void;
  /** The member pressed outside, or the focus moved outside. A press on the button of the menu counts as outside. */
  readonly onLeave: (target: Node | null) => void;
}

/** An open menu (WAI-ARIA). Arrows, Home, End and first letters move the focus. Escape closes the menu. */
export function MenuItems({ id, name, items, first, at, onClose, onLeave }: MenuItemsProps) {
  const menu = useRef<HTMLDivElement>(null);
  const buttons = () => [...(menu.current?.querySelectorAll('button') ?? [])];

  usePlacement((anchor) => {
    if (!menu.current) return;
    const { offsetWidth: width, offsetHeight: height, style } = menu.current;
    const { left, top } = placeMenu(anchor, { width, height }, { width: innerWidth, height: innerHeight });
    style.setProperty('position', 'fixed');
    style.setProperty('inset', `${top}px auto auto ${left}px`);
  }, at);
  useLayer(onClose);
  useOutside((node) => menu.current?.contains(node), onLeave, true);
  useLayoutEffect(() => {
    const all = menu.current?.querySelectorAll('button');
    all?.[first === 'first' ? 0 : all.length - 1]?.focus();
  }, [first]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      if (event.key !== 'Tab') event.preventDefault();
      onClose();
    } else if (moveFocus(event, buttons(), { wraps: true }) === undefined) {
      const at = buttons().findIndex((each) => each === document.activeElement);
      const found = startingWith(event, at, items);
      if (found === undefined) return;
      event.preventDefault();
      buttons()[found]?.focus();
    }
  };

  return (
    <div ref={menu} id={id} role="menu" tabIndex={-1} aria-label={name} className={styles['menu']} onKeyDown={onKeyDown}>
      {items.map(({ name: label, icon, danger, reason, run }) => (
        <PlainButton
          key={label}
          role="menuitem"
          tabIndex={-1}
          data-danger={danger}
          aria-disabled={reason !== undefined}
          onClick={() => {
            if (reason !== undefined) return;
            onClose();
            run();
          }}
        >
          <Icon of={icon} size={18} strokeWidth={1.75} />
          {reason === undefined ? (
            label
          ) : (
            <span>
              {label}
              <small>{reason}</small>
            </span>
          )}
        </PlainButton>
      ))}
    </div>
  );
}

function startingWith(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  at: number,
  items: readonly MenuItem[],
): number | undefined {
  if (key.length !== 1 || ctrlKey || metaKey || altKey) return undefined;
  const later = [...items.keys()].map((step) => (at + 1 + step) % items.length);
  return later.find((index) => fold(items[index]?.name ?? '').startsWith(fold(key)));
}
