import { useId, type ChangeEvent, type ComponentProps, type KeyboardEvent, type Ref } from 'react';
import { classes } from '../classes.ts';
import shared from './Field.module.css';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './TextField.module.css';

export function TextField({
  label,
  counter,
  note,
  complaint,
  quiet = false,
  optional = false,
  rows,
  onValue,
  onEnter,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'required'> & {
  readonly label: string;
  readonly value: string;
  /** For example `12 / 60`. */
  readonly counter?: string | undefined;
  readonly note?: string | undefined;
  readonly complaint: string | undefined;
  /** The error message is not announced when it appears, because the submit moves the focus to the field. */
  readonly quiet?: boolean;
  readonly optional?: boolean;
  /** Makes the field a text area with this height, where Enter begins a line. */
  readonly rows?: number;
  readonly onValue: (value: string) => void;
  /** Called for Enter, for example to move to the next field. Without it, Enter submits the form. */
  readonly onEnter?: () => void;
  readonly ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (event.key !== 'Enter' || !onEnter) return;
    event.preventDefault();
    onEnter();
  };

  const field = {
    id,
    required: !optional,
    'aria-invalid': complaint !== undefined,
    'aria-describedby': `${id}-complaint ${id}-${note === undefined ? 'counter' : 'note'}`,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onValue(event.currentTarget.value),
  };
  return (
    <div className={classes(shared['field'], styles['field'])}>
      <label htmlFor={id}>{label}</label>
      {counter !== undefined && (
        <span id={`${id}-counter`} className={styles['counter']}>
          {counter}
        </span>
      )}
      {rows === undefined ? (
        <input type="text" autoComplete="off" enterKeyHint={onEnter && 'next'} {...input} {...field} onKeyDown={onKeyDown} />
      ) : (
        <textarea rows={rows} value={input.value} readOnly={input.readOnly} {...field} />
      )}
      {note !== undefined && <small id={`${id}-note`}>{note}</small>}
      <p id={`${id}-complaint`} role={quiet ? undefined : 'alert'}>
        {complaint}
      </p>
    </div>
  );
}
