import { useLayoutEffect, useState, type ComponentProps, type KeyboardEvent, type RefObject } from 'react';
import styles from './Composer.module.css';

/** An uncontrolled text field, because writing into it would end a composition. */
export function Field({
  field,
  takesFocus = false,
  defaultValue,
  ...props
}: ComponentProps<'textarea'> & { readonly field: RefObject<HTMLTextAreaElement | null>; readonly takesFocus?: boolean }) {
  const [text] = useState(defaultValue);

  // Takes the focus when a conversation opens, but not after a page load, and not on a telephone, where the keyboard would cover
  // the messages.
  useLayoutEffect(() => {
    if (takesFocus && document.activeElement !== document.body) field.current?.focus({ preventScroll: true });
  }, [field, takesFocus]);

  return <textarea ref={field} className={styles['field']} rows={1} defaultValue={text} data-kept {...props} />;
}

/** R4.7.1: on a touch screen, or if the member chose so, Enter is a new line, and Ctrl+Enter or Command+Enter sends. */
export function isSendKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, coarse: boolean, enterSends: boolean): boolean {
  return key === 'Enter' && !shiftKey && ((enterSends && !coarse) || ctrlKey || metaKey);
}

/** Adapts the height to the text in browsers without `field-sizing`. */
export function fitHeight(element: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}
