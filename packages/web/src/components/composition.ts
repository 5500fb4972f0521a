import { useMemo, useRef, type CompositionEvent } from 'react';

export type Composition = ReturnType<typeof useComposition>;

export function useComposition() {
  const composed = useRef<EventTarget>(null);
  return useMemo(() => {
    /** Called when the field is emptied during a composition, because the browser does not report this end. */
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
