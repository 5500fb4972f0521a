import { useId, type ChangeEvent, type CompositionEvent, type KeyboardEvent, type Ref } from 'react';
import { Icon, Search } from '../icons.ts';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './SearchField.module.css';

interface SearchFieldProps {
  readonly label: string;
  readonly initial?: string;
  readonly maxLength?: number;
  readonly onQuery: (query: string) => void;
  /** Called for keys that do not belong to the input method. */
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Makes the field a combobox: the id of its list, the id of the active row, and whether the list is empty. */
  readonly list?: { readonly id: string; readonly active: string | undefined; readonly empty?: boolean };
  readonly ref?: Ref<HTMLInputElement>;
}

/** Reports no query during a composition: half-converted kana find nothing. Uncontrolled, so nothing is written into it then. */
export function SearchField({ label, initial, maxLength, onQuery, onKey, list, ref }: SearchFieldProps) {
  const id = useId();
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const native = event.nativeEvent;
    if (native instanceof InputEvent && native.isComposing) return;
    onQuery(event.currentTarget.value);
  };

  return (
    <div className={styles['field']}>
      <Icon of={Search} size={16} strokeWidth={1.9} />
      <input
        ref={ref}
        id={id}
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        defaultValue={initial}
        maxLength={maxLength}
        {...(list && comboboxOf(list))}
        onChange={onChange}
        onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isForInputMethod(event)) {
            // The browser would also remove the confirmed text.
            if (event.key === 'Escape') event.preventDefault();
          } else onKey?.(event);
        }}
      />
    </div>
  );
}

function comboboxOf({
  id,
  active,
  empty = false,
}: {
  readonly id: string;
  readonly active: string | undefined;
  readonly empty?: boolean;
}) {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': !empty,
    'aria-controls': id,
    'aria-activedescendant': active,
  } as const;
}
