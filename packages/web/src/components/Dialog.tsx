import { useEffect, useRef, type ReactNode, type SyntheticEvent } from 'react';
import { useWords } from '../i18n/LocaleProvider.tsx';
import styles from './Dialog.module.css';
import { X } from './icons.ts';

/** A modal on the browser's own `dialog`: it holds the focus, closes on Escape, and gives the focus back. */
export function Dialog({
  heading,
  onClose,
  children,
}: {
  readonly heading: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const onBackdrop = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget) onClose();
  };

  return (
    <dialog
      ref={dialog}
      className={styles['dialog']}
      aria-label={heading}
      onCancel={onClose}
      onPointerDown={onBackdrop}
    >
      <div className={styles['box']}>
        <header>
          <h2>{heading}</h2>
          <button type="button" aria-label={words.close} onClick={onClose}>
            <X aria-hidden size={18} />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
