/** Whether a key belongs to the input method, which is turning kana into kanji, and so means nothing to us. */
import { useMemo, useRef, type RefObject } from 'react';

export interface KeyStroke {
  readonly isComposing: boolean;
  readonly keyCode: number;
}

/** What browsers report for a key that the input method has taken. */
const takenByInputMethod = 229;

/**
 * R4.8.1. Ask this first in every key handler. Chrome and Firefox say `isComposing`; Safari ends the composition before
 * the keydown that ended it and leaves only 229; the third is for engines that report neither.
 */
export function isForInputMethod(stroke: KeyStroke, composing = false): boolean {
  return stroke.isComposing || stroke.keyCode === takenByInputMethod || composing;
}

export interface Composition {
  readonly composing: RefObject<boolean>;
  readonly handlers: { readonly onCompositionStart: () => void; readonly onCompositionEnd: () => void };
}

/** Follows the composition in a field: spread `handlers` on it. */
export function useComposition(): Composition {
  const composing = useRef(false);
  const handlers = useMemo(
    () => ({
      onCompositionStart: () => {
        composing.current = true;
      },
      onCompositionEnd: () => {
        composing.current = false;
      },
    }),
    [],
  );
  return { composing, handlers };
}
