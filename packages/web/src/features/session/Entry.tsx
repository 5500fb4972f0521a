import { useId } from 'react';
import field from '../../components/primitives/Field.module.css';
import { classes } from '../../components/classes.ts';
import styles from './SessionCard.module.css';
import type { Field } from './useFields.ts';

export function Entry({
  label,
  advice,
  type = 'text',
  autoComplete,
  optional = false,
  entry: { value, complaint, onValue, ref },
}: {
  readonly label: string;
  readonly advice?: string;
  readonly type?: 'text' | 'email';
  readonly autoComplete: string;
  readonly optional?: boolean;
  readonly entry: Field;
}) {
  const id = useId();
  return (
    <div className={classes(field['field'], styles['entry'])}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={ref}
        id={id}
        type={type}
        autoComplete={autoComplete}
        {...(type === 'email' && { autoCapitalize: 'none', spellCheck: false })}
        value={value}
        required={!optional}
        aria-invalid={complaint !== undefined}
        aria-describedby={advice === undefined ? `${id}-complaint` : `${id}-complaint ${id}-advice`}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      {advice !== undefined && <small id={`${id}-advice`}>{advice}</small>}
      <p id={`${id}-complaint`}>{complaint}</p>
    </div>
  );
}
