import { useId, type KeyboardEvent, type Ref } from 'react';
import { classes } from '../classes.ts';
import field from './Field.module.css';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './TextField.module.css';

interface TextFieldProps {
  readonly label: string;
  readonly value: string;
  readonly counter: string;
  readonly complaint: string | undefined;
  readonly optional?: boolean;
  readonly onValue: (value: string) => void;
  readonly onEnter: () => void;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextField({ label, value, counter, complaint, optional = false, onValue, onEnter, ref }: TextFieldProps) {
  const id = useId();
  const onKeyDown = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onEnter();
  };

  return (
    <div className={classes(field['field'], styles['field'])}>
      <label htmlFor={id}>{label}</label>
      <span id={`${id}-counter`} className={styles['counter']}>
        {counter}
      </span>
      <input
        ref={ref}
        id={id}
        type="text"
        autoComplete="off"
        enterKeyHint="next"
        value={value}
        required={!optional}
        aria-invalid={complaint !== undefined}
        aria-describedby={`${id}-complaint ${id}-counter`}
        onKeyDown={onKeyDown}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      <p id={`${id}-complaint`} role="alert">
        {complaint}
      </p>
    </div>
  );
}
