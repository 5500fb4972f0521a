import { useId, useState, type KeyboardEvent, type Ref } from 'react';
import { usePasswordWords } from '../../i18n/password.ts';
import { strengthOf } from '../../validation/password.ts';
import { classes } from '../classes.ts';
import { PlainButton } from './Button.tsx';
import field from './Field.module.css';
import { Eye, EyeOff, Icon } from '../icons.ts';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './PasswordField.module.css';

interface PasswordFieldProps {
  readonly label: string;
  readonly isNew?: boolean;
  readonly value: string;
  readonly complaint: string | undefined;
  readonly onValue: (value: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
}

export function PasswordField({ label, isNew = false, value, complaint, onValue, ref }: PasswordFieldProps) {
  const words = usePasswordWords();
  const id = useId();
  const [isShown, setShown] = useState(false);
  const [inCapitals, setInCapitals] = useState(false);

  const look = (event: KeyboardEvent) => {
    if (isForInputMethod(event)) return;
    setInCapitals(event.getModifierState('CapsLock'));
  };
  const advice = () => {
    if (value === '') return words.advice;
    const { missing, isStrong } = strengthOf(value);
    if (missing > 0) return words.missing(missing);
    return isStrong ? words.strong : words.enough;
  };

  return (
    <div className={classes(field['field'], styles['field'])}>
      <label htmlFor={id}>{label}</label>
      <span className={styles['box']}>
        <input
          ref={ref}
          id={id}
          type={isShown ? 'text' : 'password'}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          required
          aria-invalid={complaint !== undefined}
          aria-describedby={`${id}-complaint ${id}-advice`}
          onKeyUp={look}
          onBlur={() => setInCapitals(false)}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
        <PlainButton aria-label={words.show(label)} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? <Icon of={EyeOff} size={18} strokeWidth={1.75} /> : <Icon of={Eye} size={18} strokeWidth={1.75} />}
        </PlainButton>
      </span>
      {inCapitals && !isShown && <output className={styles['advice']}>{words.capsLock}</output>}
      {isNew && complaint === undefined && (
        <small id={`${id}-advice`} className={styles['advice']}>
          {advice()}
        </small>
      )}
      <p id={`${id}-complaint`}>{complaint}</p>
    </div>
  );
}
