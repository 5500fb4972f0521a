import { useId, type ChangeEvent, type CompositionEvent, type KeyboardEvent, type Ref } from 'react';
import { Search } from './icons.ts';
import { isForInputMethod } from './inputMethod.ts';
import styles from './SearchField.module.css';

/**
 * Tells what is searched for as it is typed, but not while the input method is at work: half-converted kana find
 * nothing. The browser keeps the text, so that nothing is written into the field during a composition.
 */
export function SearchField({
  label,
  onQuery,
  onKeyDown,
  ref,
}: {
  readonly label: string;
  readonly onQuery: (query: string) => void;
  /** Keys that are not the input method's. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
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
        onChange={onChange}
        onCompositionEnd={(event: CompositionEvent<HTMLInputElement>) => onQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          const stroke = { isComposing: event.nativeEvent.isComposing, keyCode: event.keyCode };
          if (!isForInputMethod(stroke)) onKeyDown?.(event);
        }}
      />
    </div>
  );
}
