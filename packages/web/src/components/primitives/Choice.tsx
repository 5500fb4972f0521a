import { useId } from 'react';
import styles from './Choice.module.css';

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly labelled?: boolean;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
}

export function Choice<T extends string>({ label, labelled = true, options, chosen, onChoose }: ChoiceProps<T>) {
  const id = useId();
  return (
    <div className={styles['choice']} role="radiogroup" aria-label={label}>
      {labelled && <span aria-hidden>{label}</span>}
      <span className={styles['options']}>
        {options.map((option) => (
          <label key={option.value}>
            <input type="radio" name={id} checked={option.value === chosen} onChange={() => onChoose(option.value)} />
            <span>{option.label}</span>
          </label>
        ))}
      </span>
    </div>
  );
}
