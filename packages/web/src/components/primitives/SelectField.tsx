import { useId, type ComponentProps } from 'react';
import { classes } from '../classes.ts';
import shared from './Field.module.css';
import { Select } from './Select.tsx';
import styles from './SelectField.module.css';

type SelectFieldProps<T extends string> = Pick<ComponentProps<typeof Select<T>>, 'options' | 'chosen' | 'onChoose' | 'ref'> & {
  readonly label: string;
  readonly note?: string | undefined;
  /** It is not announced when it appears, because the submit moves the focus to the field. */
  readonly complaint?: string | undefined;
};

/** A choice among the fields of a form, with the look of a `TextField`. */
export function SelectField<T extends string>({ label, note, complaint, ...select }: SelectFieldProps<T>) {
  const id = useId();
  return (
    <div className={classes(shared['field'], styles['field'])}>
      <label htmlFor={id}>{label}</label>
      <Select
        {...select}
        id={id}
        name={label}
        className={styles['select']}
        aria-invalid={complaint !== undefined}
        aria-describedby={note === undefined ? `${id}-complaint` : `${id}-complaint ${id}-note`}
      />
      {note !== undefined && <small id={`${id}-note`}>{note}</small>}
      <p id={`${id}-complaint`}>{complaint}</p>
    </div>
  );
}
