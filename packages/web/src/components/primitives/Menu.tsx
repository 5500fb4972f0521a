import { useLayoutEffect, useRef, type KeyboardEvent, type RefObject } from 'react';
import { fold } from '@engawa/folding';
import type { LucideIcon } from 'lucide-react';
import { isForInputMethod } from '../inputMethod.ts';
import { PlainButton } from './Button.tsx';
import styles from './Menu.module.css';

/** Pixels that stay free beside a menu at the window's edge. */
const edge = 8;

export interface MenuItem {
  readonly name: string;
  readonly icon: LucideIcon;
  /** For what cannot be undone. */
  readonly danger?: boolean;
  /** Why it cannot be chosen; it can still be reached, and says so. */
  readonly reason?: string | undefined;
  run(): void;
}

/** A menu that is open: arrows go through it, Home, End and first letters lead to an item, Escape closes it. */
export function MenuItems({
  id,
  name,
  items,
  first,
  at,
  onClose,
  onLeave,
}: {
  readonly id?: string;
  readonly name: string;
  readonly items: readonly MenuItem[];
  /** Which of them has the focus when the menu opens. */
  readonly first: 'first' | 'last';
  /** The corner that it opens from, on the screen; below its button unless said otherwise. */
  readonly at?: { readonly x: number; readonly y: number };
  readonly onClose: () => void;
  /** Somebody pressed outside of what the menu stands in, which is where the button is that closes it by itself. */
  readonly onLeave: (target: Node | null) => void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  usePlaceOnScreen(menu, at);

  useLayoutEffect(() => {
    const buttons = menu.current?.querySelectorAll('button');
    buttons?.[first === 'first' ? 0 : buttons.length - 1]?.focus();
  }, [first]);

  // Gone with the menu, before a dialog that was chosen takes the focus.
  useLayoutEffect(() => {
    const onPress = (event: Event) => {
      const target = event.target instanceof Node ? event.target : null;
      if (!menu.current?.parentElement?.contains(target)) onLeave(target);
    };
    document.addEventListener('pointerdown', onPress);
    document.addEventListener('focusin', onPress);
    return () => {
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('focusin', onPress);
    };
  }, [onLeave]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    const buttons = [...(menu.current?.querySelectorAll('button') ?? [])];
    const at = buttons.findIndex((each) => each === document.activeElement);
    const to = destination(event, at, items);
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      if (event.key !== 'Tab') event.preventDefault();
      onClose();
    } else if (to !== undefined) {
      event.preventDefault();
      buttons.at(to % buttons.length)?.focus();
    }
  };

  return (
    <div ref={menu} id={id} role="menu" tabIndex={-1} aria-label={name} className={styles['menu']} onKeyDown={onKeyDown}>
      {items.map(({ name: label, icon: Icon, danger, reason, run }) => (
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
          <Icon aria-hidden size={18} strokeWidth={1.75} />
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

/** Beside the corner, and in the window whatever becomes of it. */
function usePlaceOnScreen(menu: RefObject<HTMLElement | null>, at: { readonly x: number; readonly y: number } | undefined) {
  useLayoutEffect(() => {
    if (!at) return undefined;
    const place = () => {
      if (!menu.current) return;
      const { offsetWidth: width, offsetHeight: height } = menu.current;
      const left = Math.max(edge, Math.min(at.x - width, innerWidth - width - edge));
      const top = Math.max(edge, Math.min(at.y, innerHeight - height - edge));
      menu.current.style.setProperty('position', 'fixed');
      menu.current.style.setProperty('inset', `${top}px auto auto ${left}px`);
    };
    place();
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, [menu, at]);
}

/** Where a key leads from the item `at`; an index, which may lie before the first. */
function destination(event: KeyboardEvent, at: number, items: readonly MenuItem[]): number | undefined {
  const { key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (key === 'ArrowDown') return at + 1;
  if (key === 'ArrowUp') return at - 1;
  if (key === 'Home') return 0;
  if (key === 'End') return -1;
  if (key.length !== 1) return undefined;
  const later = [...items.keys()].map((step) => (at + 1 + step) % items.length);
  return later.find((index) => fold(items[index]?.name ?? '').startsWith(fold(key)));
}
