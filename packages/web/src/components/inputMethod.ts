/** Whether a key belongs to the input method, which is turning kana into kanji, and so means nothing to us. */
import { useMemo, useRef, type CompositionEvent } from 'react';

/** A key as the browser tells of it, or as React does. */
export type KeyStroke = { readonly keyCode: number } & (Composing | { readonly nativeEvent: Composing });

interface Composing {
  readonly isComposing: boolean;
}

/** What browsers report for a key that the input method has taken. */
const takenByInputMethod = 229;

/**
 * R4.8.1. Ask this first in every key handler. Chrome and Firefox say `isComposing`; Safari ends the composition before
 * the keydown that ended it and leaves only 229; the third is for engines that report neither.
 */
export function isForInputMethod(stroke: KeyStroke, composing = false): boolean {
  const { isComposing } = 'nativeEvent' in stroke ? stroke.nativeEvent : stroke;
  return isComposing || stroke.keyCode === takenByInputMethod || composing;
}

export interface Composition {
  /** Whether this is the field that is being composed in. */
  isIn(field: EventTarget | null): boolean;
  /** For who empties the field meanwhile: the browser does not tell that this has ended the composition. */
  end(): void;
  readonly handlers: {
    readonly onCompositionStart: (event: CompositionEvent) => void;
    readonly onCompositionEnd: () => void;
  };
}

/** Follows the composition in a field: spread `handlers` on it. */
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
