import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { classes } from '../classes.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import styles from './DialogForm.module.css';
import { CircleAlert } from '../icons.ts';
import { isForInputMethod } from '../inputMethod.ts';

/** A modal with something to fill in: what is asked, why it could not be done, and the two ways out. */
export function DialogForm({
  heading,
  holds,
  failure,
  closeLabel,
  submitLabel,
  submitted,
  tall = false,
  danger = false,
  careful = false,
  busy,
  onClose,
  onSubmit,
  children,
}: {
  readonly heading: string;
  /** Something has been typed: a press beside the dialog does not close it. */
  readonly holds: boolean;
  readonly failure: ReactNode;
  readonly closeLabel: string;
  readonly submitLabel: string;
  /** R4.12: whether somebody has tried; a form that says nothing of it leaves it out. */
  readonly submitted?: boolean;
  /** As high as the window lets it be: what is asked has a list of its own that scrolls. Else all of it scrolls. */
  readonly tall?: boolean;
  /** What is submitted cannot be undone. */
  readonly danger?: boolean;
  /** Whoever presses Enter without reading changes nothing. */
  readonly careful?: boolean;
  readonly busy: boolean;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!busy) onSubmit();
  };

  return (
    <Dialog heading={heading} onClose={onClose} holds={holds} tall={tall}>
      <form className={styles['form']} noValidate data-submitted={submitted} aria-label={heading} onSubmit={submit}>
        <div
          role="presentation"
          className={classes(styles['fields'], !tall && styles['scrolling'])}
          onKeyDown={keepFromSubmitting}
        >
          {children}
        </div>
        <footer className={styles['footer']}>
          {failure && (
            <div className={styles['failure']} role="alert">
              <CircleAlert aria-hidden size={16} />
              {failure}
            </div>
          )}
          <Button ref={careful ? beginHere : undefined} onClick={onClose}>
            {closeLabel}
          </Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} aria-disabled={busy}>
            {submitLabel}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The dialog looks for it when it opens, which is after this. */
function beginHere(button: HTMLButtonElement | null): void {
  button?.setAttribute('autofocus', '');
}

/** The Enter that confirms a conversion submits nothing (R4.8.1). */
function keepFromSubmitting(event: KeyboardEvent): void {
  if (isForInputMethod(event) && event.key === 'Enter') event.preventDefault();
}
