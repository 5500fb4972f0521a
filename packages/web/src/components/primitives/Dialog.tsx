import { useLayoutEffect, useRef, type KeyboardEvent, type ReactNode, type SyntheticEvent } from 'react';
import { useWords } from '../../i18n/LocaleProvider.tsx';
import styles from './Dialog.module.css';
import { type IconNode, X } from '../icons.ts';
import { useLayer } from './layers.ts';
import { IconButton } from './IconButton.tsx';
import { isForInputMethod } from '../inputMethod.ts';

interface DialogProps {
  readonly heading: string;
  readonly onClose: () => void;
  /** A press outside does not close the dialog, because it contains input. */
  readonly holds?: boolean;
  readonly tall?: boolean;
  readonly wide?: boolean;
  /** The caller places the dialog with --x and --y. In a narrow window it opens at the bottom. */
  readonly aside?: boolean;
  readonly full?: boolean;
  /** Instead of a cross, for what goes on in a smaller form. */
  readonly closeButton?: { readonly name: string; readonly icon: IconNode };
  /** The dialog has an address, so Back leaves it without a layer. */
  readonly addressed?: boolean;
  readonly children: ReactNode;
}

export function Dialog(props: DialogProps) {
  const {
    heading,
    onClose,
    holds = false,
    tall = false,
    wide = false,
    aside = false,
    full = false,
    closeButton,
    addressed = false,
    children,
  } = props;
  const words = useWords();
  const dialog = useRef<HTMLDialogElement>(null);

  useLayer(onClose, !addressed);

  // Closes before the removal from the page, because a removed dialog cannot return the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    const opener = document.activeElement;
    element?.showModal();
    return () => {
      const select = selectionOf(opener);
      element?.close();
      if (document.activeElement === opener) select();
    };
  }, []);

  const onBackdrop = (event: SyntheticEvent<HTMLDialogElement>) => {
    if (event.target === event.currentTarget && !holds) onClose();
  };

  const onCancel = (event: SyntheticEvent) => {
    // A file chooser that was cancelled fires `cancel` too.
    if (event.target !== event.currentTarget) return;
    event.preventDefault();
    onClose();
  };

  /** Some browsers close a dialog on the second Escape even if `cancel` was prevented. */
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
          <IconButton name={words.close} icon={X} {...closeButton} tooltip="none" className={styles['close']} onClick={onClose} />
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** R4.8.1: Escape that cancels a conversion does not close the dialog. */
function keepFromClosing(event: KeyboardEvent): void {
  if (isForInputMethod(event) && event.key === 'Escape') event.preventDefault();
}

/**
 * Returns a function that selects what is selected in the field now. Chromium forgets it when the dialog closes, and without a
 * selection it ignores what is typed.
 */
function selectionOf(field: Element | null): () => void {
  if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement)) return () => undefined;
  const { selectionStart, selectionEnd, selectionDirection } = field;
  // A field without text, such as a checkbox, has no selection.
  if (selectionStart === null) return () => undefined;
  return () => field.setSelectionRange(selectionStart, selectionEnd, selectionDirection ?? 'none');
}
