import type { KeyboardEvent, ReactNode, SubmitEvent } from 'react';
import { classes } from '../classes.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import styles from './DialogForm.module.css';
import { CircleAlert, Icon } from '../icons.ts';
import { isForInputMethod } from '../inputMethod.ts';

export function DialogForm({
  heading,
  holds = false,
  failure,
  closeLabel,
  submitLabel,
  submitted,
  tall = false,
  danger = false,
  careful = false,
  busy = false,
  onClose,
  onSubmit,
  children,
}: {
  readonly heading: string;
  readonly holds?: boolean;
  readonly failure?: ReactNode;
  readonly closeLabel: string;
  readonly submitLabel: string;
  /** R4.12: whether the member tried to submit. Error messages may wait for that. */
  readonly submitted?: boolean;
  readonly tall?: boolean;
  readonly danger?: boolean;
  /** The close button takes the focus, so Enter changes nothing by mistake. */
  readonly careful?: boolean;
  readonly busy?: boolean;
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
              <Icon of={CircleAlert} size={16} />
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

/** Gives the button the initial focus. React would not write this attribute, which `showModal` looks for. */
function beginHere(button: HTMLButtonElement | null): void {
  button?.setAttribute('autofocus', '');
}

/** R4.8.1: Enter that confirms a conversion does not submit. */
function keepFromSubmitting(event: KeyboardEvent): void {
  if (isForInputMethod(event) && event.key === 'Enter') event.preventDefault();
}
