import { useMemo, useRef, type CompositionEvent } from 'react';

/** A key event of the browser or of React. */
export type KeyStroke = { readonly keyCode: number } & (Composing | { readonly nativeEvent: Composing });

interface Composing {
  readonly isComposing: boolean;
}

/** `keyCode` of a key that the input method handles. */
const takenByInputMethod = 229;

/**
 * Whether a key belongs to the input method, which converts kana into kanji. R4.8.1: every key handler calls this first. Chrome
 * and Firefox set `isComposing`. Safari ends the composition before the keydown that ended it and leaves only 229. `composing` is
 * for engines that report neither.
 */
export function isForInputMethod(stroke: KeyStroke, composing = false): boolean {
  const { isComposing } = 'nativeEvent' in stroke ? stroke.nativeEvent : stroke;
  return isComposing || stroke.keyCode === takenByInputMethod || composing;
}

export interface Composition {
  isIn(field: EventTarget | null): boolean;
  /** For callers that empty the field during a composition: the browser does not report that this ends it. */
  end(): void;
  readonly handlers: {
    readonly onCompositionStart: (event: CompositionEvent) => void;
    readonly onCompositionEnd: () => void;
  };
}

/** Tracks the composition in a field. Spread `handlers` on the field. */
export function useComposition(): Composition {
  const composed = useRef<EventTarget>(null);
  return useMemo(() => {
    const end = () => {
      composed.current = null;
    };
    const onCompositionStart = ({ currentTarget }: CompositionEvent) => {
      composed.current = currentTarget;
    };
    const isIn = (field: EventTarget | null) => field !== null && field === composed.current;
    return { isIn, end, handlers: { onCompositionStart, onCompositionEnd: end } };
  }, []);
}
