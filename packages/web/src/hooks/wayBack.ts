import { useCallback, useRef, type FocusEvent } from 'react';

/** For what goes away under the hand: leads to where the focus was before it came there. */
export function useWayBack() {
  const before = useRef<HTMLElement>(undefined);
  return {
    goBack: useCallback(() => before.current?.focus({ preventScroll: true }), []),
    onFocus: (event: FocusEvent) => {
      // Of a window that comes to the front again there is no other.
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
