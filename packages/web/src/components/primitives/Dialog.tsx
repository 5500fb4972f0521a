import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './Dialog.module.css';
import { X } from '../icons.ts';
import { IconButton } from './IconButton.tsx';
import { isForInputMethod } from '../inputMethod.ts';

/** A modal on the browser's own `dialog`: it holds the focus, closes on Escape, and gives the focus back. */
export function Dialog({
  heading,
  onClose,
  holds = false,
  tall = false,
  wide = false,
  aside = false,
  full = false,
  children,
}: {
  readonly heading: string;
  readonly onClose: () => void;
  /** A press beside it does not close it, because what was typed into it would be lost. */
  readonly holds?: boolean;
  /** As high as it may be, so that it does not jump while what is in it changes. */
  readonly tall?: boolean;
  /** For what is worked in for a while; in a narrow window it takes all of it. */
  readonly wide?: boolean;
  /** Who opens it places it, beside what it is about; in a narrow window it comes up from below. */
  readonly aside?: boolean;
  /** All of the window. */
  readonly full?: boolean;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);

  // Closed while it still stands in the page: once it is gone it cannot give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const onBackdrop = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && !holds) onClose();
  };

  const onCancel = (event: SyntheticEvent) => {
    // Who chooses no file has cancelled that and nothing else.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };

  /** Some browsers close it on a second Escape whatever we say. */
  const onClosed = () => {
    if (!dialog.current?.open) onClose();
  };

  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      data-tall={tall}
      data-wide={wide}
      data-aside={aside}
      data-full={full}
      aria-label={heading}
      onCancel={onCancel}
      onClose={onClosed}
      onKeyDown={keepFromClosing}
      onPointerDown={onBackdrop}
    >
      <div className={styles['box']}>
        <header>
          <h2>{heading}</h2>
          <IconButton name={words.close} icon={X} tooltip="none" className={styles['close']} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The Escape that cancels a conversion closes nothing (R4.8.1). */
function keepFromClosing(event: KeyboardEvent): void {
  if (isForInputMethod(event) && event.key === 'Escape') event.preventDefault();
}
