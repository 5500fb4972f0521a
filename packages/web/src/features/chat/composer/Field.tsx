import {
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type ComponentProps,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { classes } from '../../../components/classes.ts';
import styles from './Composer.module.css';
import type { ComposedText, ComposedView } from './composedText.ts';
import { deleteSelection, pasteText } from './editing.ts';

type FieldRef = RefObject<HTMLTextAreaElement | null>;

interface FieldProps extends Omit<ComponentProps<'textarea'>, 'defaultValue'> {
  readonly field: FieldRef;
  readonly composed: ComposedText;
  readonly view: ComposedView;
}

/** An uncontrolled text field, because writing into it would end a composition. Its chips are painted behind it. */
export function Field({ field, composed, view, ...props }: FieldProps) {
  const [begunWith] = useState(view.text);
  useCaretAtEnd(field);
  useWholeChips(field, view);

  return (
    <div className={styles['writing']}>
      {view.chips.length > 0 && <ChipLayer field={field} view={view} />}
      <textarea
        ref={field}
        className={styles['field']}
        rows={1}
        defaultValue={begunWith}
        data-kept
        {...clipboardOf(composed)}
        {...props}
      />
    </div>
  );
}

/**
 * The key of a `Field`. An empty field in which nothing was written also shows the next draft, because to create and focus a new one is
 * slow. A field that was written in is replaced, because undo would bring back the text of another conversation.
 */
export function useFieldKey({ composed, view }: Pick<FieldProps, 'composed' | 'view'>): number {
  const [held, setHeld] = useState({ composed, begun: view, key: 0 });
  if (held.composed === composed) return held.key;
  const isUntouched = held.begun.text === '' && held.composed.view() === held.begun;
  const own = { composed, begun: view, key: isUntouched && view.text === '' ? held.key : held.key + 1 };
  setHeld(own);
  return own.key;
}

/** A member goes on writing at the end of a draft. An empty field needs no layout for that. */
function useCaretAtEnd(field: FieldRef): void {
  useLayoutEffect(() => {
    const element = field.current;
    if (!element?.value) return;
    fitHeight(element);
    element.setSelectionRange(element.value.length, element.value.length);
    element.scrollTo({ top: element.scrollHeight });
  }, [field]);
}

/** Deleting into a chip from outside deletes all of it. Keyboards of telephones fire no useful `keydown`, so this is `beforeinput`. */
function useWholeChips(field: FieldRef, { chips }: ComposedView): void {
  const onBeforeInput = useEffectEvent((event: InputEvent) => {
    const [, direction] = /^delete(?:Content|Word)(Backward|Forward)$/.exec(event.inputType) ?? [];
    const element = field.current;
    if (!element || direction === undefined || event.isComposing || !event.cancelable) return;
    const { selectionStart: caret, selectionEnd } = element;
    const chip = chips.find(({ from, to }) => caret === (direction === 'Backward' ? to : from));
    if (!chip || selectionEnd !== caret) return;
    event.preventDefault();
    element.setSelectionRange(chip.from, chip.to);
    deleteSelection(element);
  });
  // A layout effect, so that the first key in a field that has just appeared counts.
  useLayoutEffect(() => {
    const element = field.current;
    const listener = (event: InputEvent) => onBeforeInput(event);
    element?.addEventListener('beforeinput', listener);
    return () => element?.removeEventListener('beforeinput', listener);
  }, [field]);
}

/** The format of a copied draft. Other programs get the text that the member sees. */
const draftFormat = 'text/x-engawa';

function clipboardOf(composed: ComposedText) {
  const copy = ({ currentTarget, clipboardData }: ClipboardEvent<HTMLTextAreaElement>): boolean => {
    const { selectionStart, selectionEnd, value } = currentTarget;
    const text = value.slice(selectionStart, selectionEnd);
    const raw = composed.rawBetween(selectionStart, selectionEnd);
    if (raw === text) return false;
    clipboardData.setData('text/plain', text);
    clipboardData.setData(draftFormat, raw);
    return true;
  };
  return {
    onCopy: (event) => {
      if (copy(event)) event.preventDefault();
    },
    onCut: (event) => {
      if (!copy(event)) return;
      event.preventDefault();
      deleteSelection(event.currentTarget);
    },
    onPaste: (event) => {
      const { currentTarget, clipboardData } = event;
      const raw = clipboardData.getData(draftFormat) || clipboardData.getData('text/plain');
      if (composed.insert(raw.replaceAll(/\r\n?/g, '\n'), (text) => pasteText(currentTarget, text))) event.preventDefault();
    },
  } satisfies ComponentProps<'textarea'>;
}

/** Paints the chips of the field, in the same places because it has the same text in the same font and width. */
function ChipLayer({ field, view: { text, chips } }: { readonly field: FieldRef; readonly view: ComposedView }) {
  const layer = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = field.current;
    const follow = () => {
      if (layer.current && element) layer.current.scrollTop = element.scrollTop;
    };
    follow();
    element?.addEventListener('scroll', follow);
    return () => element?.removeEventListener('scroll', follow);
  });

  const ends = [0, ...chips.map(({ to }) => to)];
  return (
    <div ref={layer} aria-hidden className={classes(styles['field'], styles['layer'])}>
      {chips.map(({ from, to }, index) => [text.slice(ends[index], from), <mark key={index}>{text.slice(from, to)}</mark>])}
      {/* A text area shows the empty line behind a last line end, and other elements do not. */}
      {`${text.slice(ends.at(-1))}\n`}
    </div>
  );
}

/** R4.7.1: on a touch screen, or if the member chose so, Enter is a new line, and Ctrl+Enter or Command+Enter sends. */
export function isSendKey({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, coarse: boolean, enterSends: boolean): boolean {
  return key === 'Enter' && !shiftKey && ((enterSends && !coarse) || ctrlKey || metaKey);
}

const fitsByItself = CSS.supports('field-sizing', 'content');

/** Adapts the height to the text in browsers without `field-sizing`. */
export function fitHeight(element: HTMLTextAreaElement): void {
  if (fitsByItself) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}
