import { useId, type ChangeEvent, type CompositionEvent, type KeyboardEvent, type Ref } from 'react';
import { Search } from '../icons.ts';
import { isForInputMethod } from '../inputMethod.ts';
import styles from './SearchField.module.css';

/**
 * Tells what is searched for as it is typed, but not while the input method is at work: half-converted kana find
 * nothing. The browser keeps the text, so that nothing is written into the field during a composition.
 */
export function SearchField({
  label,
  initial,
  maxLength,
  onQuery,
  onKey,
  list,
  ref,
}: {
  readonly label: string;
  /** What stands in it when it opens. */
  readonly initial?: string;
  /** Characters (UTF-16). */
  readonly maxLength?: number;
  readonly onQuery: (query: string) => void;
  /** Keys that are not the input method's. */
  readonly onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  /** Where the field walks through a list: its id, that of the row that was reached, and whether there are rows. */
  readonly list?: { readonly id: string; readonly active: string | undefined; readonly empty?: boolean };
  readonly ref?: Ref<HTMLInputElement>;
}) {
  const id = useId();
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const native = event.nativeEvent;
    if (native instanceof InputEvent && native.isComposing) return;
    onQuery(event.currentTarget.value);
  };

  return (
    <div className={styles['field']}>
      <Search aria-hidden size={16} strokeWidth={1.9} />
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
            // The browser would empty the field of what was confirmed before, too.
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
