import { useCallback, useRef, type FocusEvent } from 'react';

export function useReturnFocus() {
  const before = useRef<HTMLElement>(undefined);
  return {
    returnFocus: useCallback(() => before.current?.focus({ preventScroll: true }), []),
    onFocus: (event: FocusEvent) => {
      // `relatedTarget` is null when the window gets the focus back, so the last element stays.
      if (event.relatedTarget instanceof HTMLElement && !staysWithin(event)) before.current = event.relatedTarget;
    },
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget && !staysWithin(event)) before.current = undefined;
    },
  };
}

function staysWithin({ currentTarget, relatedTarget }: FocusEvent): boolean {
  return currentTarget.contains(relatedTarget);
}
