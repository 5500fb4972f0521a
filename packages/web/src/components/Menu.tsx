import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { fold } from '@engawa/folding';
import type { LucideIcon } from 'lucide-react';
import { IconButton } from './IconButton.tsx';
import { isForInputMethod } from './inputMethod.ts';
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

/**
 * A button that opens a menu by the WAI-ARIA menu button pattern: arrows open it and go through it, Home, End and first
 * letters lead to an item, Escape closes it.
 */
export function Menu({
  name,
  icon,
  items,
  initiallyOpen = false,
  initiallyFocused = false,
  onApproach,
}: {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly items: readonly MenuItem[];
  readonly initiallyOpen?: boolean;
  readonly initiallyFocused?: boolean;
  /** What an item opens can be fetched. */
  readonly onApproach?: () => void;
}) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(initiallyOpen);
  const [first, setFirst] = useState<'first' | 'last'>('first');

  useLayoutEffect(() => {
    if (initiallyFocused) button.current?.focus();
  }, [initiallyFocused]);

  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  const toggle = () => {
    setFirst('first');
    setOpen(!open);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (open || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
    event.preventDefault();
    setFirst(event.key === 'ArrowDown' ? 'first' : 'last');
    setOpen(true);
  };

  return (
    <span role="presentation" className={styles['anchor']} onKeyDown={onKeyDown}>
      <IconButton
        ref={button}
        name={name}
        icon={icon}
        expanded={open}
        popup="menu"
        tooltip="bottom"
        controls={open ? id : undefined}
        onClick={toggle}
        onApproach={onApproach}
      />
      {open && (
        <MenuItems
          id={id}
          name={name}
          items={items}
          first={first}
          onClose={close}
          onLeave={(target) => {
            if (!button.current?.contains(target)) setOpen(false);
          }}
        />
      )}
    </span>
  );
}

/** A menu that is open. */
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
  /** Somebody pressed outside. */
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
      if (!menu.current?.contains(target)) onLeave(target);
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
        <button
          key={label}
          type="button"
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
        </button>
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
