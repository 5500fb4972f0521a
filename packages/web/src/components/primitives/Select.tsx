import type { ComponentProps } from 'react';
import { classes } from '../classes.ts';
import { ChevronDown, Icon } from '../icons.ts';
import styles from './Select.module.css';

interface SelectProps<T extends string> extends Pick<
  ComponentProps<'select'>,
  'id' | 'ref' | 'aria-invalid' | 'aria-describedby'
> {
  readonly name: string;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly chosen: T;
  readonly onChoose: (value: T) => void;
  readonly className?: string | undefined;
}

export function Select<T extends string>({ name, options, chosen, onChoose, className, ...select }: SelectProps<T>) {
  const choose = (value: string) => {
    const option = options.find((each) => each.value === value);
    if (option) onChoose(option.value);
  };
  return (
    <span className={classes(styles['field'], className)}>
      <select {...select} aria-label={name} value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} size={16} />
    </span>
  );
}
